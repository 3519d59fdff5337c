import Type from 'typebox'
import { foundSubscription } from '../../commands/webhooks/change-subscription.ts'
import { paginationOf } from '../../contract/common-schemas.ts'
import {
  type DeliveryAttempt,
  DeliveryDetail,
  DeliveryList,
  DeliveryStatus,
  EventId,
  EventKind,
} from '../../contract/webhook.ts'
import { Problem } from '../../errors.ts'
import { envelopeOf } from '../../webhooks/event-envelope.ts'
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts'
import { findEvent } from '../../storage/webhooks/events.ts'
import { plain, route } from '../../http/route.ts'
import { realmOf } from '../shoppers/shopper-response.ts'
import { DeliveryParams, deliveryView, instantOf, ofWebhooks, WebhookParams } from './webhook-response.ts'

const path = '/v1/webhooks/:subscription_id/deliveries'

export const webhookDeliveries = route({
  ...ofWebhooks,
  method: 'GET',
  path,
  operationId: 'listWebhookDeliveries',
  summary: 'What was sent to an endpoint in the last 30 days, or is about to be; the newest first',
  input: {
    params: WebhookParams,
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
      status: Type.Optional(DeliveryStatus),
      event_type: Type.Optional(EventKind),
      event_id: Type.Optional(EventId),
      since: Type.Optional(Type.String({ format: 'date-time', description: 'Made at that instant or later' })),
    }),
  },
  response: DeliveryList,
  async answer({ params, query, ...question }) {
    const { db } = question.commerce
    const { subscription_id } = await foundSubscription(db, realmOf(question), params.subscription_id)
    const { since, ...asked } = query
    const from = since !== undefined && { since: instantOf(since) }
    const { rows, hasMore } = await listDeliveries(db, subscription_id, { ...asked, ...from })
    const pagination = paginationOf(query, rows.length, null, hasMore)
    return plain({ data: rows.map(deliveryView), pagination, errors: [] })
  },
})

export const webhookDelivery = route({
  ...ofWebhooks,
  method: 'GET',
  path: `${path}/:delivery_id`,
  operationId: 'getWebhookDelivery',
  summary: 'One delivery, with what was sent and what came of each attempt',
  input: { params: DeliveryParams },
  response: DeliveryDetail,
  async answer({ params, ...question }) {
    const { db } = question.commerce
    const realm = realmOf(question)
    const { subscription_id } = await foundSubscription(db, realm, params.subscription_id)
    const delivery = await findDelivery(db, subscription_id, params.delivery_id)
    if (!delivery) throw new Problem('not_found')
    const event = await findEvent(db, realm, delivery.event_id)
    const attempts = (JSON.parse(delivery.log) as DeliveryAttempt[]).map(attemptView)
    return plain({ ...deliveryView(delivery), payload: event && envelopeOf(event), attempts })
  },
})

function attemptView({ number, at, duration_ms, response_status, error, response_excerpt }: DeliveryAttempt) {
  return { number, at, duration_ms, response_status, error, response_excerpt } satisfies DeliveryAttempt
}
