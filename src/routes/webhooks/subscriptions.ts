import Type from 'typebox'
import { createSubscription } from '../../commands/webhooks/create-subscription.ts'
import { Subscriptions, SubscriptionWithSecret, WebhookSubscriptionCreate } from '../../contract/webhook.ts'
import { listSubscriptions } from '../../storage/webhooks/subscriptions.ts'
import { plain, route } from '../../http/route.ts'
import { realmOf } from '../shoppers/shopper-response.ts'
import { ofWebhooks, revealed, subscriptionView } from './webhook-response.ts'

export const webhooks = route({
  ...ofWebhooks,
  method: 'GET',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  summary: 'All subscriptions of the merchant in this mode, the oldest first',
  input: {},
  response: Subscriptions,
  async answer(question) {
    const { db, now } = question.commerce
    const records = await listSubscriptions(db, realmOf(question))
    return plain(records.map((record) => subscriptionView(record, now())))
  },
})

export const webhookCreate = route({
  ...ofWebhooks,
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
    const made = await createSubscription(question.commerce, realmOf(question), body, once)
    return revealed(made, question.commerce.now(), 201)
  },
})
