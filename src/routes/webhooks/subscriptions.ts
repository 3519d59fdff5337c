import Type from 'typebox'
import { changeSubscription } from '../../commands/webhooks/change-subscription.ts'
import { createSubscription } from '../../commands/webhooks/create-subscription.ts'
import { requireSubscription } from '../../commands/webhooks/find-subscription.ts'
import { removeSubscription } from '../../commands/webhooks/remove-subscription.ts'
import {
  Subscription,
  SubscriptionList,
  SubscriptionWithSecret,
  WebhookSubscriptionCreate,
  WebhookSubscriptionUpdate,
} from '../../contract/events/webhook-subscription.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { listSubscriptions } from '../../storage/webhooks/subscriptions.ts'
import { buildSubscriptionSecretResponse, toSubscription } from './webhook-response.ts'
import { WebhookParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

const path = '/v1/webhooks/:subscription_id'

export const listWebhooksRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'List the subscriptions of the merchant in this mode, oldest first',
  input: {},
  response: SubscriptionList,
  async handle(request) {
    const { db, now } = request.commerce
    const records = await listSubscriptions(db, request.tenant)
    return jsonResponse(records.map((record) => toSubscription(record, now())))
  },
})

export const createWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Subscribe an endpoint to events; only this response contains the signing secret',
  input: { body: WebhookSubscriptionCreate },
  response: SubscriptionWithSecret,
  status: 201,
  idempotent: true,
  hasSecretResponse: true,
  problems: ['subscription_exists', 'subscription_limit'],
  problemMembers: { subscription_id: Type.String() },
  async handle({ body, idempotency, ...request }) {
    const created = await createSubscription(request.commerce, request.tenant, body, idempotency)
    return buildSubscriptionSecretResponse(created, request.commerce.now(), 201)
  },
})

export const getWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'Get a subscription',
  input: { params: WebhookParams },
  response: Subscription,
  async handle({ params, ...request }) {
    const { db, now } = request.commerce
    const record = await requireSubscription(db, request.tenant, params.subscription_id)
    return jsonResponse(toSubscription(record, now()))
  },
})

export const updateWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'PATCH',
  path,
  operationId: 'updateWebhook',
  summary: 'Change the endpoint, the event types, the description or the status of a subscription',
  input: { params: WebhookParams, body: WebhookSubscriptionUpdate },
  response: Subscription,
  problems: ['subscription_exists'],
  problemMembers: { subscription_id: Type.String() },
  async handle({ params, body, ...request }) {
    if (Object.keys(body).length === 0) throw createEmptyUpdateError(body)
    const { commerce } = request
    const record = await changeSubscription(commerce, request.tenant, params.subscription_id, body)
    return jsonResponse(toSubscription(record, commerce.now()))
  },
})

export const deleteWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'DELETE',
  path,
  operationId: 'deleteWebhook',
  summary: 'Delete a subscription with its deliveries',
  input: { params: WebhookParams },
  response: null,
  async handle({ params, ...request }) {
    await removeSubscription(request.commerce, request.tenant, params.subscription_id)
    return jsonResponse({}, 204)
  },
})

const EMPTY_UPDATE = 'At least one of endpoint_url, event_types, description and status is needed'

const createEmptyUpdateError = (input: object) =>
  new InvalidInput([{ type: 'missing', loc: ['body'], msg: EMPTY_UPDATE, input }])
