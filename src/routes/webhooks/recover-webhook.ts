import { recoverDeliveries } from '../../commands/webhooks/recover-deliveries.ts'
import { RecoverIn, WebhookRecovery } from '../../contract/events/webhook-delivery.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toStoredTime } from './to-stored-time.ts'
import { WebhookParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

export const recoverWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/recover',
  operationId: 'recoverWebhook',
  summary:
    'Send the events of a period that an endpoint did not receive, oldest first: at most 1,000 missed and 10,000 waiting events per call',
  input: { params: WebhookParams, body: RecoverIn },
  response: WebhookRecovery,
  status: 202,
  idempotent: true,
  problems: ['subscription_disabled'],
  async handle({ params, body, ...request }) {
    const range = { since: toStoredTime(body.since), until: body.until && toStoredTime(body.until) }
    return jsonResponse(await recoverDeliveries(request.commerce, request.tenant, params.subscription_id, range), 202)
  },
})
