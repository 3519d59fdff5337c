import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'

/** The most that one load of a shared table may take. */
export const SHARED_LOAD_TIMEOUT_MS = 30_000

/** Runs work that several callers wait for, and that must outlive the first of them: it has its own time limit, and no caller's signal. */
export async function runSharedLoad<T>(
  requestId: string,
  limitMs: number,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const endsAt = Date.now() + limitMs
  const over = new AbortController()
  const end = () => over.abort(new UpstreamError('timeout', `shared work took over ${limitMs} ms`))
  const timer = setTimeout(end, limitMs).unref()
  try {
    return await work({ requestId, signal: over.signal, timeoutMs: () => Math.max(0, endsAt - Date.now()) })
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for shared work as long as this caller has time. */
export function waitWithAbort<T>(work: Promise<T>, call: Call): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(reasonOf(call.signal))
    if (call.signal.aborted) leave()
    call.signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => call.signal.removeEventListener('abort', leave))
  })
}

/**
 * A small table of the system, kept for `maxAgeMs` and loaded once for all who ask meanwhile.
 * A load that fails is not kept: whoever waited for it is told, and the next caller tries again.
 */
export function createCachedLoader<T>(
  load: (call: Call) => Promise<T>,
  options: { maxAgeMs: number; now: () => number },
) {
  let value: { held: T; at: number } | undefined
  let loading: Promise<T> | undefined
  return (call: Call): Promise<T> => {
    if (value && options.now() - value.at < options.maxAgeMs) return waitWithAbort(Promise.resolve(value.held), call)
    loading ??= runSharedLoad(call.requestId, SHARED_LOAD_TIMEOUT_MS, load)
      .then((held) => {
        value = { held, at: options.now() }
        return held
      })
      .finally(() => {
        loading = undefined
      })
    return waitWithAbort(loading, call)
  }
}

function reasonOf(signal: AbortSignal): UpstreamError {
  return signal.reason instanceof UpstreamError ? signal.reason : new UpstreamError('aborted', 'the caller left')
}
