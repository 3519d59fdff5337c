import { recoverDeliveries, redeliver } from '../../commands/webhooks/recover-deliveries.ts'
import { Delivery, RecoverIn, WebhookRecovery } from '../../contract/webhook.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import { DeliveryParams, toDelivery, toStoredTime, WebhookParams, webhookRouteDefaults } from './webhook-response.ts'

export const redeliverWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/deliveries/:delivery_id/redeliver',
  operationId: 'redeliverWebhook',
  summary: 'Send the event of a delivery once more, as a delivery of its own',
  input: { params: DeliveryParams },
  response: Delivery,
  status: 202,
  idempotent: true,
  problems: ['subscription_disabled'],
  async answer({ params, once, ...question }) {
    const of = { subscriptionId: params.subscription_id, deliveryId: params.delivery_id }
    return jsonResponse(toDelivery(await redeliver(question.commerce, toTenantColumns(question), of, once)), 202)
  },
})

export const recoverWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/recover',
  operationId: 'recoverWebhook',
  summary: 'Send the events of a time that an endpoint was not told of; 1,000 a call, the oldest first',
  input: { params: WebhookParams, body: RecoverIn },
  response: WebhookRecovery,
  status: 202,
  idempotent: true,
  problems: ['subscription_disabled'],
  async answer({ params, body, ...question }) {
    const range = { since: toStoredTime(body.since), until: body.until && toStoredTime(body.until) }
    return jsonResponse(
      await recoverDeliveries(question.commerce, toTenantColumns(question), params.subscription_id, range),
      202,
    )
  },
})
