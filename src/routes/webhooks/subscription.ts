import Type from 'typebox'
import {
  changeSubscription,
  foundSubscription,
  removeSubscription,
} from '../../commands/webhooks/change-subscription.ts'
import { Subscription, WebhookSubscriptionUpdate } from '../../contract/webhook.ts'
import { Invalid } from '../../errors.ts'
import { plain, route } from '../../http/route.ts'
import { realmOf } from '../shoppers/shopper-response.ts'
import { ofWebhooks, subscriptionView, WebhookParams } from './webhook-response.ts'

const path = '/v1/webhooks/:subscription_id'

export const webhook = route({
  ...ofWebhooks,
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'One subscription',
  input: { params: WebhookParams },
  response: Subscription,
  async answer({ params, ...question }) {
    const { db, now } = question.commerce
    const record = await foundSubscription(db, realmOf(question), params.subscription_id)
    return plain(subscriptionView(record, now()))
  },
})

export const webhookUpdate = route({
  ...ofWebhooks,
  method: 'PATCH',
  path,
  operationId: 'updateWebhook',
  summary: 'Change where events are sent, which, or whether at all',
  input: { params: WebhookParams, body: WebhookSubscriptionUpdate },
  response: Subscription,
  problems: ['subscription_exists'],
  problemMembers: { subscription_id: Type.String() },
  async answer({ params, body, ...question }) {
    if (Object.keys(body).length === 0) throw nothingIn(body)
    const { commerce } = question
    const record = await changeSubscription(commerce, realmOf(question), params.subscription_id, body)
    return plain(subscriptionView(record, commerce.now()))
  },
})

export const webhookDelete = route({
  ...ofWebhooks,
  method: 'DELETE',
  path,
  operationId: 'deleteWebhook',
  summary: 'End a subscription; what was and is to be delivered goes with it',
  input: { params: WebhookParams },
  response: null,
  async answer({ params, ...question }) {
    await removeSubscription(question.commerce, realmOf(question), params.subscription_id)
    return plain({}, 204)
  },
})

const nothingIn = (input: object) => new Invalid([{ type: 'missing', loc: ['body'], msg: NOTHING, input }])

const NOTHING = 'At least one of endpoint_url, event_types, description and status is needed'
