import type { DeliveryAttempt } from '../contract/events/webhook-delivery.ts'
import type { DeliveryOutcome, LeasedDelivery } from '../storage/webhooks/delivery-queue.ts'
import type { WebhookEndpoint } from '../storage/webhooks/subscription-endpoints.ts'
import { type AttemptResult, isDelivered } from './delivery-attempt-types.ts'
import type { EndpointHealthSample } from './endpoint-health.ts'
import { computeRetryDelayMs } from './retry-schedule.ts'

/** The outcome of a delivery and what it says about its endpoint's health: `null` if the endpoint was not called. */
export interface DeliveryResult {
  subscriptionId: string
  outcome: DeliveryOutcome
  healthSample: EndpointHealthSample | null
}

/** Computes the outcome of a delivery from its latest attempt. */
export function toDeliveryResult(
  { endpoint_url: url }: WebhookEndpoint,
  delivery: LeasedDelivery,
  result: AttemptResult,
  now: number,
  random: number,
): DeliveryResult {
  const { delivery_id, subscription_id } = delivery
  const attempts = delivery.attempts + 1
  const isSuccess = isDelivered(result)
  const delayMs = isSuccess ? null : computeRetryDelayMs(attempts, result.retryAfterMs, random)
  const at = new Date(now).toISOString()
  return {
    subscriptionId: subscription_id,
    outcome: {
      delivery_id,
      status: isSuccess ? 'DELIVERED' : delayMs === null ? 'EXHAUSTED' : 'PENDING',
      attempts,
      log: appendToLog(delivery.log, attempts, result),
      due_at: delayMs === null ? at : new Date(now + delayMs).toISOString(),
      response_status: result.responseStatus,
      ended_at: delayMs === null ? at : null,
    },
    // A secret that cannot be decrypted is not the endpoint's fault.
    healthSample:
      result.error === 'secret_unreadable'
        ? null
        : {
            url,
            at,
            outcome: isSuccess ? 'delivered' : result.responseStatus === 410 ? 'gone' : 'failed',
            exhausted: !isSuccess && delayMs === null,
          },
  }
}

/** The result of a delivery whose event is past its retention time. */
export function createCancelledResult(
  { delivery_id, subscription_id, attempts, log }: LeasedDelivery,
  now: number,
): DeliveryResult {
  const at = new Date(now).toISOString()
  const outcome = { delivery_id, status: 'CANCELLED' as const, attempts, log, due_at: at, ended_at: at }
  return { subscriptionId: subscription_id, outcome: { ...outcome, response_status: null }, healthSample: null }
}

function appendToLog(
  log: string,
  number: number,
  { at, durationMs, responseStatus, error, excerpt }: AttemptResult,
): string {
  const entry: DeliveryAttempt = {
    number,
    at,
    duration_ms: durationMs,
    response_status: responseStatus,
    error,
    response_excerpt: excerpt,
  }
  return log === '[]' ? `[${JSON.stringify(entry)}]` : `${log.slice(0, -1)},${JSON.stringify(entry)}]`
}
