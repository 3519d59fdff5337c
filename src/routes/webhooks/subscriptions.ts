import Type from 'typebox'
import { createSubscription } from '../../commands/webhooks/create-subscription.ts'
import { SubscriptionList, SubscriptionWithSecret, WebhookSubscriptionCreate } from '../../contract/webhook.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { listSubscriptions } from '../../storage/webhooks/subscriptions.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import { buildSubscriptionSecretResponse, toSubscription, webhookRouteDefaults } from './webhook-response.ts'

export const listWebhooksRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'All subscriptions of the merchant in this mode, the oldest first',
  input: {},
  response: SubscriptionList,
  async answer(question) {
    const { db, now } = question.commerce
    const records = await listSubscriptions(db, toTenantColumns(question))
    return jsonResponse(records.map((record) => toSubscription(record, now())))
  },
})

export const createWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks',
  operationId: 'createWebhook',
  summary: 'Subscribe an endpoint to events; the signing secret is told in this answer alone',
  input: { body: WebhookSubscriptionCreate },
  response: SubscriptionWithSecret,
  status: 201,
  idempotent: true,
  secretAnswer: true,
  problems: ['subscription_exists', 'subscription_limit'],
  problemMembers: { subscription_id: Type.String() },
  async answer({ body, once, ...question }) {
    const made = await createSubscription(question.commerce, toTenantColumns(question), body, once)
    return buildSubscriptionSecretResponse(made, question.commerce.now(), 201)
  },
})
