import { redeliver } from '../../commands/webhooks/redeliver.ts'
import { Delivery } from '../../contract/events/webhook-delivery.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toDelivery } from './webhook-response.ts'
import { DeliveryParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

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
