import type { DeliveryAttempt } from '../contract/webhook.ts'
import type { Endpoint, LeasedDelivery, Outcome } from '../storage/webhooks/delivery-queue.ts'
import { type Attempted, isDelivered } from './webhook-request.ts'
import { nextDelayMs } from './retry-schedule.ts'
import type { Verdict } from './endpoint-health.ts'

/** A delivery that was seen to, and what its endpoint is to be thought of for it: `null`, when it was not tried. */
export interface Seen {
  subscriptionId: string
  outcome: Outcome
  verdict: Verdict | null
}

/** What an attempt makes of its delivery. */
export function seenBy(
  { endpoint_url: url }: Endpoint,
  delivery: LeasedDelivery,
  attempted: Attempted,
  now: number,
  random: number,
): Seen {
  const { delivery_id, subscription_id } = delivery
  const attempts = delivery.attempts + 1
  const delivered = isDelivered(attempted)
  const delayMs = delivered ? null : nextDelayMs(attempts, attempted.retryAfterMs, random)
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
export function cancelled({ delivery_id, subscription_id, attempts, log }: LeasedDelivery, now: number): Seen {
  const at = new Date(now).toISOString()
  const outcome = { delivery_id, status: 'CANCELLED' as const, attempts, log, due_at: at, ended_at: at }
  return { subscriptionId: subscription_id, outcome: { ...outcome, response_status: null }, verdict: null }
}

function logged(log: string, number: number, { at, durationMs, responseStatus, error, excerpt }: Attempted): string {
  const entry: DeliveryAttempt = {
    ...{ number, at, duration_ms: durationMs, response_status: responseStatus, error, response_excerpt: excerpt },
  }
  return log === '[]' ? `[${JSON.stringify(entry)}]` : `${log.slice(0, -1)},${JSON.stringify(entry)}]`
}
