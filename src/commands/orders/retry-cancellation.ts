import { setTimeout as pause } from 'node:timers/promises'
import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import type { CancelOrderResult, Order } from '../../ports/order.ts'
import { createRequestScope } from '../../upstream/request-scope.ts'
import type { LiveCallOptions } from '../../upstream/run-live-call.ts'

/** When the ledger is asked again, and how long it may take then. */
const PAUSES_MS = [1_000, 5_000, 15_000]
const ANSWER_MS = 10_000
/** Orders at once; of more, whoever asks again goes on. */
const MOST = 100
const unsure: ReadonlySet<UpstreamFailure> = new Set(['timeout', 'unavailable', 'error', 'invalid', 'aborted'])

/** Whether a ledger that failed so may have begun to cancel. */
export const isCancellationUncertain = (error: unknown): boolean =>
  error instanceof UpstreamError && !error.simulated && unsure.has(error.failure)

export interface CancellationRetry {
  ask(live: LiveCallOptions): Promise<CancelOrderResult | null>
  record(cancelled: Order): Promise<Order>
  now(): number
}

const underWay = new Set<string>()

/** Goes on where a cancelling broke off, behind the answer that told of it. What fails here too is told by the feed of orders, or by who asks again. */
export async function retryCancellation(name: string, cancelling: CancellationRetry): Promise<void> {
  if (underWay.has(name) || underWay.size >= MOST) return
  underWay.add(name)
  try {
    for (const ms of PAUSES_MS) {
      await pause(ms, undefined, { ref: false })
      if (await isOver(name, cancelling)) return
    }
  } finally {
    underWay.delete(name)
  }
}

async function isOver(name: string, { ask, record, now }: CancellationRetry): Promise<boolean> {
  const requestScope = createRequestScope({ requestId: `cancel-${name}` }, { totalMs: ANSWER_MS, reserveMs: 0 }, now)
  try {
    const answer = await ask({ requestScope, priority: 'checkout', timeoutMs: ANSWER_MS, background: true })
    if (answer?.state === 'cancelled') await record(answer.order)
    return true
  } catch {
    // The ledger, or the store, fails still.
    return false
  }
}
