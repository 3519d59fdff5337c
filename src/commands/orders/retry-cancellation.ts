import { setTimeout as pause } from 'node:timers/promises'
import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import type { CancelOrderResult, Order } from '../../ports/order.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import { createRequestScope } from '../../upstream/request/request-scope.ts'

/** The delays between retries, and the time limit of each. */
const RETRY_DELAYS_MS = [1_000, 5_000, 15_000]
const CANCEL_TIMEOUT_MS = 10_000
/** The maximum of concurrent retries. Further orders wait for the shopper's next attempt. */
const MAX_CONCURRENT = 100
const uncertainFailures: ReadonlySet<UpstreamFailure> = new Set([
  'timeout',
  'unavailable',
  'error',
  'invalid',
  'unauthorized',
  'aborted',
])

/** Returns whether accounting may have started to cancel although the call failed. */
export const isCancellationUncertain = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.simulated && uncertainFailures.has(error.failure)

export interface CancellationRetry {
  cancel(live: LiveCallOptions): Promise<CancelOrderResult | null>
  recordCancelled(cancelled: Order): Promise<Order>
  now(): number
}

const underWay = new Set<string>()

/** Retries a failed cancellation in the background. If all retries fail, the change feed or the shopper's next attempt resolves it. */
export async function retryCancellation(key: string, cancellation: CancellationRetry): Promise<void> {
  if (underWay.has(key) || underWay.size >= MAX_CONCURRENT) return
  underWay.add(key)
  try {
    for (const delayMs of RETRY_DELAYS_MS) {
      await pause(delayMs, undefined, { ref: false })
      if (await attemptCancellation(key, cancellation)) return
    }
  } finally {
    underWay.delete(key)
  }
}

/** Returns whether the cancellation is decided. */
async function attemptCancellation(
  key: string,
  { cancel: ask, recordCancelled: record, now }: CancellationRetry,
): Promise<boolean> {
  const requestScope = createRequestScope(
    { requestId: `cancel-${key}` },
    { totalMs: CANCEL_TIMEOUT_MS, reserveMs: 0 },
    now,
  )
  try {
    const result = await ask({ requestScope, priority: 'checkout', timeoutMs: CANCEL_TIMEOUT_MS, background: true })
    if (result?.state === 'cancelled') await record(result.order)
    return true
  } catch {
    // Accounting or the store still fails.
    return false
  }
}
