import { UpstreamError } from '../../../errors.ts'
import { randomBase62 } from '../../../security/base62.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import { createRequestScope, type RequestScope } from '../../../upstream/request/request-scope.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'

/** A system that hangs does not keep a page longer. */
const TOTAL_MS = 5_000

/** What a system says at this moment, or why it says nothing. */
export interface LiveFinding<Value> {
  value: Value | null
  error: UpstreamError | null
}

/** Returns the scope of the calls for one page. Leave it when they have ended. */
export const createPageScope = (now: () => number): RequestScope =>
  createRequestScope({ requestId: `console-${randomBase62(10)}` }, { totalMs: TOTAL_MS, reserveMs: 0 }, now)

export async function toLiveFinding<Value>(reading: Promise<Value | null>): Promise<LiveFinding<Value>> {
  try {
    return { value: await reading, error: null }
  } catch (error) {
    if (error instanceof UpstreamError) return { value: null, error }
    throw error
  }
}

export const describeLiveError = (error: UpstreamError): string =>
  error.failure === 'circuit_open'
    ? `calls are paused after failures: ${describeFailure(failureKind(error))}`
    : failureKind(error)
