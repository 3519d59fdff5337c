import Type from 'typebox'
import { requireSubscription } from '../../commands/webhooks/find-subscription.ts'
import { EventId, EventKind } from '../../contract/events/event-types.ts'
import {
  type DeliveryAttempt,
  DeliveryDetail,
  DeliveryList,
  DeliveryStatus,
} from '../../contract/events/webhook-delivery.ts'
import { toPagination } from '../../contract/pagination.ts'
import { RequestTime } from '../../contract/schema-parts.ts'
import { createNotFound } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts'
import { findEvent } from '../../storage/webhooks/event-queries.ts'
import { toEventEnvelope } from '../../webhooks/to-event-envelope.ts'
import { toStoredTime } from './to-stored-time.ts'
import { toDelivery } from './webhook-response.ts'
import { DeliveryParams, WebhookParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

const path = '/v1/webhooks/:subscription_id/deliveries'

export const listWebhookDeliveriesRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path,
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries to an endpoint, sent in the last 30 days or scheduled, newest first',
  input: {
    params: WebhookParams,
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
      status: Type.Optional(DeliveryStatus),
      event_type: Type.Optional(EventKind),
      event_id: Type.Optional(EventId),
      since: Type.Optional(RequestTime('Created at or after this time')),
    }),
  },
  response: DeliveryList,
  async handle({ params, query, ...request }) {
    const { db } = request.commerce
    const { subscription_id } = await requireSubscription(db, request.tenant, params.subscription_id)
    const filter = { ...query, ...(query.since !== undefined && { since: toStoredTime(query.since) }) }
    const { rows, hasMore } = await listDeliveries(db, subscription_id, filter)
    const pagination = toPagination(query, rows.length, null, hasMore)
    return jsonResponse({ data: rows.map(toDelivery), pagination, errors: [] })
  },
})

export const getWebhookDeliveryRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path: `${path}/:delivery_id`,
  operationId: 'getWebhookDelivery',
  summary: 'Get a delivery with its payload and the result of each attempt',
  input: { params: DeliveryParams },
  response: DeliveryDetail,
  async handle({ params, ...request }) {
    const { db } = request.commerce
    const { subscription_id } = await requireSubscription(db, request.tenant, params.subscription_id)
    const delivery = await findDelivery(db, subscription_id, params.delivery_id)
    if (!delivery) throw createNotFound('delivery')
    const event = await findEvent(db, request.tenant, delivery.event_id)
    const attempts = (JSON.parse(delivery.log) as DeliveryAttempt[]).map(toAttempt)
    return jsonResponse({ ...toDelivery(delivery), payload: event && toEventEnvelope(event), attempts })
  },
})

function toAttempt({ number, at, duration_ms, response_status, error, response_excerpt }: DeliveryAttempt) {
  return { number, at, duration_ms, response_status, error, response_excerpt } satisfies DeliveryAttempt
}
