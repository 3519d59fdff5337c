import { recover, redeliver } from '../../commands/webhooks/recover-deliveries.ts'
import { Delivery, RecoverIn, Recovery } from '../../contract/webhook.ts'
import { plain, route } from '../../http/route.ts'
import { realmOf } from '../shoppers/shopper-response.ts'
import { DeliveryParams, deliveryView, instantOf, ofWebhooks, WebhookParams } from './webhook-response.ts'

export const webhookRedeliver = route({
  ...ofWebhooks,
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
    return plain(deliveryView(await redeliver(question.commerce, realmOf(question), of, once)), 202)
  },
})

export const webhookRecover = route({
  ...ofWebhooks,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/recover',
  operationId: 'recoverWebhook',
  summary: 'Send the events of a time that an endpoint was not told of; 1,000 a call, the oldest first',
  input: { params: WebhookParams, body: RecoverIn },
  response: Recovery,
  status: 202,
  idempotent: true,
  problems: ['subscription_disabled'],
  async answer({ params, body, ...question }) {
    const range = { since: instantOf(body.since), until: body.until && instantOf(body.until) }
    return plain(await recover(question.commerce, realmOf(question), params.subscription_id, range), 202)
  },
})
