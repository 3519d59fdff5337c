import { changeSubscription } from '../../commands/webhooks/change-subscription.ts'
import { PING_TIMEOUT_MS, pingSubscription } from '../../commands/webhooks/ping-subscription.ts'
import { rotateSubscriptionSecret } from '../../commands/webhooks/rotate-subscription-secret.ts'
import {
  DEFAULT_SECRET_GRACE_SECONDS,
  RotateSecretIn,
  Subscription,
  SubscriptionWithSecret,
  WebhookPing,
} from '../../contract/webhook.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import {
  buildSubscriptionSecretResponse,
  toSubscription,
  WebhookParams,
  webhookRouteDefaults,
} from './webhook-response.ts'

/** What is left of a ping's time for everything but its endpoint. */
const BESIDE_PING_MS = 2_000

const stateRoute = (status: 'ACTIVE' | 'DISABLED', call: string, operationId: string, summary: string) =>
  defineRoute({
    ...webhookRouteDefaults,
    method: 'POST',
    path: `/v1/webhooks/:subscription_id/${call}`,
    operationId,
    summary,
    input: { params: WebhookParams },
    response: Subscription,
    idempotent: true,
    async answer({ params, ...question }) {
      const { commerce } = question
      const record = await changeSubscription(commerce, toTenantColumns(question), params.subscription_id, { status })
      return jsonResponse(toSubscription(record, commerce.now()))
    },
  })

export const disableWebhookRoute = stateRoute(
  'DISABLED',
  'disable',
  'disableWebhook',
  'Send nothing more to an endpoint; what is on the schedule is cancelled',
)

export const enableWebhookRoute = stateRoute(
  'ACTIVE',
  'enable',
  'enableWebhook',
  'Send new events to an endpoint again; recover has those that it missed',
)

export const rotateWebhookSecretRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'A new signing secret, told in this answer alone; the one before signs beside it for a while',
  input: { params: WebhookParams, body: RotateSecretIn, bodyOptional: true },
  response: SubscriptionWithSecret,
  idempotent: true,
  secretAnswer: true,
  async answer({ params, body, once, ...question }) {
    const { commerce } = question
    const graceMs = (body?.grace_period_seconds ?? DEFAULT_SECRET_GRACE_SECONDS) * 1_000
    const rotated = await rotateSubscriptionSecret(
      commerce,
      toTenantColumns(question),
      params.subscription_id,
      { graceMs },
      once,
    )
    return buildSubscriptionSecretResponse(rotated, commerce.now(), 200)
  },
})

export const pingWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/ping',
  operationId: 'pingWebhook',
  summary: 'Send a signed test event now, even to a disabled endpoint, and tell what came of it',
  input: { params: WebhookParams },
  response: WebhookPing,
  idempotent: true,
  deadlineMs: PING_TIMEOUT_MS + BESIDE_PING_MS,
  async answer({ params, ...question }) {
    return jsonResponse(await pingSubscription(question.commerce, toTenantColumns(question), params.subscription_id))
  },
})
