import type { Call } from '../../../src/ports/call.ts'

/** Returns a call with a long deadline. */
export function createCallWithLongDeadline(timeoutMs = 600_000): Call {
  const end = Date.now() + timeoutMs
  return {
    signal: AbortSignal.timeout(timeoutMs),
    timeoutMs: () => Math.max(0, end - Date.now()),
    requestId: 'live',
  }
}
