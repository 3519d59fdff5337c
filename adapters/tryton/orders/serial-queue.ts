import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { waitWithAbort } from '../client/shared-load.ts'

/** Who has stood in line begins with no less than this: the work would else end as a timeout that is not Tryton's doing. */
const LEAST_MS = 1_000

/**
 * Work that is done one after the other. Tryton's credit check takes whole tables without waiting for them, so that orders at once
 * make each other fail and slow. Whoever leaves before their turn has come is passed over, and a line that is too long is 'overloaded'.
 */
export function createSerialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let inside = 0
  return <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    const { promise: turn, resolve: begin, reject: leave } = Promise.withResolvers<void>()
    const late = () =>
      leave(new UpstreamError('overloaded', 'too many orders at once', { retryAfterMs: LEAST_MS, retryable: true }))
    const timer = inside > 0 ? setTimeout(late, Math.max(0, call.timeoutMs() - LEAST_MS)) : undefined
    inside += 1
    void last.then(() => begin())
    const mine = waitWithAbort(turn, call)
      .finally(() => clearTimeout(timer))
      .then(work)
      .finally(() => {
        inside -= 1
      })
    // Without what they came to: every answer would else hold the one before it.
    last = Promise.allSettled([last, mine]).then(() => {})
    return waitWithAbort(mine, call)
  }
}
