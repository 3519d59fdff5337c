import { changeSubscription } from '../../commands/webhooks/change-subscription.ts'
import { PING_TIMEOUT_MS, pingSubscription } from '../../commands/webhooks/ping-subscription.ts'
import { rotateSubscriptionSecret } from '../../commands/webhooks/rotate-subscription-secret.ts'
import {
  DEFAULT_SECRET_GRACE_SECONDS,
  RotateSecretIn,
  Subscription,
  SubscriptionWithSecret,
  WebhookPing,
} from '../../contract/events/webhook-subscription.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { buildSubscriptionSecretResponse, toSubscription } from './webhook-response.ts'
import { WebhookParams, webhookRouteDefaults } from './webhook-route-defaults.ts'

/** Added to a ping's own timeout, for the reads and writes around it. */
const PING_OVERHEAD_MS = 2_000

const defineStatusRoute = (status: 'ACTIVE' | 'DISABLED', action: string, operationId: string, summary: string) =>
  defineRoute({
    ...webhookRouteDefaults,
    method: 'POST',
    path: `/v1/webhooks/:subscription_id/${action}`,
    operationId,
    summary,
    input: { params: WebhookParams },
    response: Subscription,
    idempotent: true,
    async handle({ params, ...request }) {
      const { commerce } = request
      const record = await changeSubscription(commerce, request.tenant, params.subscription_id, { status })
      return jsonResponse(toSubscription(record, commerce.now()))
    },
  })

export const disableWebhookRoute = defineStatusRoute(
  'DISABLED',
  'disable',
  'disableWebhook',
  'Stop sending events to an endpoint; scheduled deliveries are cancelled',
)

export const enableWebhookRoute = defineStatusRoute(
  'ACTIVE',
  'enable',
  'enableWebhook',
  'Send new and waiting events to an endpoint again; recover sends those that it missed',
)

export const rotateWebhookSecretRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary:
    'Create a new signing secret, contained in this response only; the previous one also signs during the grace period',
  input: { params: WebhookParams, body: RotateSecretIn, bodyOptional: true },
  response: SubscriptionWithSecret,
  idempotent: true,
  hasSecretResponse: true,
  async handle({ params, body, idempotency, ...request }) {
    const { commerce } = request
    const graceMs = (body?.grace_period_seconds ?? DEFAULT_SECRET_GRACE_SECONDS) * 1_000
    const rotated = await rotateSubscriptionSecret(
      commerce,
      request.tenant,
      params.subscription_id,
      { graceMs },
      idempotency,
    )
    return buildSubscriptionSecretResponse(rotated, commerce.now(), 200)
  },
})

export const pingWebhookRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'POST',
  path: '/v1/webhooks/:subscription_id/ping',
  operationId: 'pingWebhook',
  summary: 'Send a signed test event now, even to a disabled endpoint, and return the result',
  input: { params: WebhookParams },
  response: WebhookPing,
  idempotent: true,
  deadlineMs: PING_TIMEOUT_MS + PING_OVERHEAD_MS,
  async handle({ params, ...request }) {
    return jsonResponse(await pingSubscription(request.commerce, request.tenant, params.subscription_id))
  },
})
