import Type from 'typebox'
import {
  changeSubscription,
  removeSubscription,
  requireSubscription,
} from '../../commands/webhooks/change-subscription.ts'
import { Subscription, WebhookSubscriptionUpdate } from '../../contract/webhook.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import { toSubscription, WebhookParams, webhookRouteDefaults } from './webhook-response.ts'

const path = '/v1/webhooks/:subscription_id'

export const getWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path,
  operationId: 'getWebhook',
  summary: 'One subscription',
  input: { params: WebhookParams },
  response: Subscription,
  async answer({ params, ...question }) {
    const { db, now } = question.commerce
    const record = await requireSubscription(db, toTenantColumns(question), params.subscription_id)
    return jsonResponse(toSubscription(record, now()))
  },
})

export const updateWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
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
    const record = await changeSubscription(commerce, toTenantColumns(question), params.subscription_id, body)
    return jsonResponse(toSubscription(record, commerce.now()))
  },
})

export const deleteWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'DELETE',
  path,
  operationId: 'deleteWebhook',
  summary: 'End a subscription; what was and is to be delivered goes with it',
  input: { params: WebhookParams },
  response: null,
  async answer({ params, ...question }) {
    await removeSubscription(question.commerce, toTenantColumns(question), params.subscription_id)
    return jsonResponse({}, 204)
  },
})

const nothingIn = (input: object) => new InvalidInput([{ type: 'missing', loc: ['body'], msg: NOTHING, input }])

const NOTHING = 'At least one of endpoint_url, event_types, description and status is needed'
