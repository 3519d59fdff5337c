import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { raceWithAbort } from '../../race-with-abort.ts'

/** The least time that queued work needs: with less, it would end as a timeout that is not the fault of Tryton. */
const MIN_WORK_MS = 1_000

/**
 * Returns a queue that runs one task at a time. Tryton's credit check locks whole tables without waiting, so parallel
 * orders make each other fail. A caller that aborts while queued is skipped, and a queue that is too long fails with
 * 'overloaded'.
 */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let pending = 0
  return <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    const { promise: turn, resolve: start, reject: rejectTurn } = Promise.withResolvers<void>()
    const rejectLate = () =>
      rejectTurn(
        new UpstreamError('overloaded', 'too many concurrent orders', { retryAfterMs: MIN_WORK_MS, retryable: true }),
      )
    const timer = pending > 0 ? setTimeout(rejectLate, Math.max(0, call.timeoutMs() - MIN_WORK_MS)) : undefined
    pending += 1
    void last.then(() => start())
    const result = raceWithAbort(turn, call)
      .finally(() => clearTimeout(timer))
      .then(work)
      .finally(() => {
        pending -= 1
      })
    // Without the results: otherwise every result would keep the one before it alive.
    last = Promise.allSettled([last, result]).then(() => {})
    return raceWithAbort(result, call)
  }
}
