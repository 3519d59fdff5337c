import type { DeliveryAttempt } from '../contract/webhook.ts'
import type { DeliveryOutcome, LeasedDelivery, WebhookEndpoint } from '../storage/webhooks/delivery-queue.ts'
import type { EndpointHealthSample } from './endpoint-health.ts'
import { computeRetryDelayMs } from './retry-schedule.ts'
import { type AttemptResult, isDelivered } from './webhook-request.ts'

/** A delivery that was seen to, and what its endpoint is to be thought of for it: `null`, when it was not tried. */
export interface DeliveryResult {
  subscriptionId: string
  outcome: DeliveryOutcome
  verdict: EndpointHealthSample | null
}

/** What an attempt makes of its delivery. */
export function toDeliveryResult(
  { endpoint_url: url }: WebhookEndpoint,
  delivery: LeasedDelivery,
  attempted: AttemptResult,
  now: number,
  random: number,
): DeliveryResult {
  const { delivery_id, subscription_id } = delivery
  const attempts = delivery.attempts + 1
  const delivered = isDelivered(attempted)
  const delayMs = delivered ? null : computeRetryDelayMs(attempts, attempted.retryAfterMs, random)
  const at = new Date(now).toISOString()
  return {
    subscriptionId: subscription_id,
    outcome: {
      delivery_id,
      status: delivered ? 'DELIVERED' : delayMs === null ? 'EXHAUSTED' : 'PENDING',
      attempts,
      log: logged(delivery.log, attempts, attempted),
      due_at: delayMs === null ? at : new Date(now + delayMs).toISOString(),
      response_status: attempted.responseStatus,
      ended_at: delayMs === null ? at : null,
    },
    // That a secret cannot be opened is our own fault.
    verdict:
      attempted.error === 'secret_unreadable'
        ? null
        : {
            ...{ url, at },
            outcome: delivered ? 'delivered' : attempted.responseStatus === 410 ? 'gone' : 'failed',
            exhausted: !delivered && delayMs === null,
          },
  }
}

/** There is nothing left to send: its event is older than what is kept. */
export function createCancelledResult(
  { delivery_id, subscription_id, attempts, log }: LeasedDelivery,
  now: number,
): DeliveryResult {
  const at = new Date(now).toISOString()
  const outcome = { delivery_id, status: 'CANCELLED' as const, attempts, log, due_at: at, ended_at: at }
  return { subscriptionId: subscription_id, outcome: { ...outcome, response_status: null }, verdict: null }
}

function logged(
  log: string,
  number: number,
  { at, durationMs, responseStatus, error, excerpt }: AttemptResult,
): string {
  const entry: DeliveryAttempt = {
    ...{ number, at, duration_ms: durationMs, response_status: responseStatus, error, response_excerpt: excerpt },
  }
  return log === '[]' ? `[${JSON.stringify(entry)}]` : `${log.slice(0, -1)},${JSON.stringify(entry)}]`
}
