import Type from 'typebox'
import { requireSubscription } from '../../commands/webhooks/change-subscription.ts'
import { toPagination } from '../../contract/common-schemas.ts'
import {
  type DeliveryAttempt,
  DeliveryDetail,
  DeliveryList,
  DeliveryStatus,
  EventId,
  EventKind,
} from '../../contract/webhook.ts'
import { Problem } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { findDelivery, listDeliveries } from '../../storage/webhooks/deliveries.ts'
import { findEvent } from '../../storage/webhooks/events.ts'
import { toEventEnvelope } from '../../webhooks/event-envelope.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import { DeliveryParams, toDelivery, toStoredTime, WebhookParams, webhookRouteDefaults } from './webhook-response.ts'

const path = '/v1/webhooks/:subscription_id/deliveries'

export const listWebhookDeliveriesRoute = defineRoute({
  ...webhookRouteDefaults,
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
    const { subscription_id } = await requireSubscription(db, toTenantColumns(question), params.subscription_id)
    const { since, ...asked } = query
    const from = since !== undefined && { since: toStoredTime(since) }
    const { rows, hasMore } = await listDeliveries(db, subscription_id, { ...asked, ...from })
    const pagination = toPagination(query, rows.length, null, hasMore)
    return jsonResponse({ data: rows.map(toDelivery), pagination, errors: [] })
  },
})

export const getWebhookDeliveryRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path: `${path}/:delivery_id`,
  operationId: 'getWebhookDelivery',
  summary: 'One delivery, with what was sent and what came of each attempt',
  input: { params: DeliveryParams },
  response: DeliveryDetail,
  async answer({ params, ...question }) {
    const { db } = question.commerce
    const realm = toTenantColumns(question)
    const { subscription_id } = await requireSubscription(db, realm, params.subscription_id)
    const delivery = await findDelivery(db, subscription_id, params.delivery_id)
    if (!delivery) throw new Problem('not_found')
    const event = await findEvent(db, realm, delivery.event_id)
    const attempts = (JSON.parse(delivery.log) as DeliveryAttempt[]).map(attemptView)
    return jsonResponse({ ...toDelivery(delivery), payload: event && toEventEnvelope(event), attempts })
  },
})

function attemptView({ number, at, duration_ms, response_status, error, response_excerpt }: DeliveryAttempt) {
  return { number, at, duration_ms, response_status, error, response_excerpt } satisfies DeliveryAttempt
}
