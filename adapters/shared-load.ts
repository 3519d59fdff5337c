import { UpstreamError } from '../src/errors.ts'
import type { Call } from '../src/ports/call.ts'

/** The time limit of one load of a shared table. */
export const SHARED_LOAD_TIMEOUT_MS = 30_000

/** Runs work for several callers, which must outlive the first of them: it has its own time limit instead of a signal of a caller. */
export async function runSharedLoad<T>(
  requestId: string,
  limitMs: number,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const endsAt = Date.now() + limitMs
  const controller = new AbortController()
  const expire = () => controller.abort(new UpstreamError('timeout', `shared work exceeded ${limitMs} ms`))
  const timer = setTimeout(expire, limitMs).unref()
  try {
    return await work({ requestId, signal: controller.signal, timeoutMs: () => Math.max(0, endsAt - Date.now()) })
  } finally {
    clearTimeout(timer)
  }
}
