import { UpstreamError } from '../../../errors.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'

/** What a system says at this moment, or why it says nothing. */
export interface LiveFinding<Value> {
  value: Value | null
  error: UpstreamError | null
}

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
