import { recoverDeliveries } from '../../commands/webhooks/recover-deliveries.ts'
import { redeliver } from '../../commands/webhooks/redeliver.ts'
import { Delivery, RecoverIn, WebhookRecovery } from '../../contract/events/webhook-delivery.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toStoredTime } from './to-stored-time.ts'
import { toDelivery } from './webhook-response.ts'
import { DeliveryParams, WebhookParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

export const redeliverWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/deliveries/:delivery_id/redeliver',
  operationId: 'redeliverWebhook',
  summary: 'Send the event of a delivery again, as a new delivery',
  input: { params: DeliveryParams },
  response: Delivery,
  status: 202,
  idempotent: true,
  problems: ['subscription_disabled'],
  async handle({ params, idempotency, ...request }) {
    const source = { subscriptionId: params.subscription_id, deliveryId: params.delivery_id }
    return jsonResponse(toDelivery(await redeliver(request.commerce, request.tenant, source, idempotency)), 202)
  },
})

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
