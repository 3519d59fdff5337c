import { UpstreamError } from '../src/errors.ts'
import type { Call } from '../src/ports/call.ts'

/** Waits for shared work until this caller aborts. */
export function raceWithAbort<T>(work: Promise<T>, call: Call): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectWithReason = () => reject(abortReason(call.signal))
    if (call.signal.aborted) rejectWithReason()
    call.signal.addEventListener('abort', rejectWithReason, { once: true })
    work.then(resolve, reject).finally(() => call.signal.removeEventListener('abort', rejectWithReason))
  })
}

function abortReason(signal: AbortSignal): UpstreamError {
  return signal.reason instanceof UpstreamError
    ? signal.reason
    : new UpstreamError('aborted', 'the caller disconnected')
}
