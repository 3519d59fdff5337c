import { ForecourtError } from './forecourt-error.ts'
import type { Answer } from './read-answer.ts'

export interface RetryLimits {
  /** For the whole call, with its retries and waits. */
  timeoutMs: number
  /** For one attempt of a call that may be repeated. */
  attemptTimeoutMs: number
  maxRetries: number
}

export interface Attempts extends RetryLimits {
  /** Repeating the request changes nothing more than sending it once. */
  isRepeatable: boolean
  signal: AbortSignal | undefined
  /** The address of the server. */
  url: string
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000
const UNAVAILABLE = [502, 503, 504]

/** Sends a request until it is answered, and returns the answer. Throws the last error when waiting longer would exceed the time. */
export async function sendWithRetries(
  send: (signal: AbortSignal) => Promise<Answer>,
  attempts: Attempts,
): Promise<Answer> {
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  for (let retry = 0; ; retry++) {
    const describe = (failure: string) =>
      retry ? `${failure}, the last of ${retry + 1} attempts in ${Math.round(elapsedMs())} ms` : failure
    const result = await attempt(send, attempts, attempts.timeoutMs - elapsedMs(), describe)
    if (!(result instanceof ForecourtError)) return result
    if (retry >= attempts.maxRetries || !isWorthRetrying(result, attempts.isRepeatable)) throw result
    const pauseMs = result.retryAfterMs ?? pauseBefore(retry)
    if (elapsedMs() + pauseMs >= attempts.timeoutMs) throw result
    attempts.signal?.throwIfAborted()
    await pause(pauseMs, attempts.signal)
  }
}

async function attempt(
  send: (signal: AbortSignal) => Promise<Answer>,
  { isRepeatable, attemptTimeoutMs, signal, url }: Attempts,
  leftMs: number,
  describe: (failure: string) => string,
): Promise<Answer | ForecourtError> {
  signal?.throwIfAborted()
  const timeoutMs = Math.max(1, Math.ceil(isRepeatable ? Math.min(attemptTimeoutMs, leftMs) : leftMs))
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await (signal ? sendUntilEither(send, signal, timeout) : send(timeout))
  } catch (cause) {
    if (cause instanceof ForecourtError) return cause
    signal?.throwIfAborted()
    // Node has the reason in the cause of its "fetch failed".
    const { code = cause } = Object(Object(cause).cause)
    const isLate = timeout.aborted
    const detail = describe(`no response ${isLate ? `in ${timeoutMs} ms` : `from ${url} (${code})`}`)
    return new ForecourtError({ status: 0, code: isLate ? 'timeout' : 'network_error', detail, cause })
  }
}

/** Sends with a signal that aborts with either of two. Older browsers lack AbortSignal.any, which leaks memory in Node 20. */
async function sendUntilEither(
  send: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  timeout: AbortSignal,
): Promise<Answer> {
  const either = new AbortController()
  const abort = (event: Event) => either.abort((event.currentTarget as AbortSignal).reason)
  signal.addEventListener('abort', abort)
  timeout.addEventListener('abort', abort)
  try {
    return await send(either.signal)
  } finally {
    signal.removeEventListener('abort', abort)
    timeout.removeEventListener('abort', abort)
  }
}

/** A request that got a 429 did nothing. After a lost response or a 5xx, that is not known, so the request must be repeatable. */
function isWorthRetrying({ status, code }: ForecourtError, isRepeatable: boolean): boolean {
  if (status === 429) return true
  const isLost = status === 0 && code !== 'invalid_response'
  return isRepeatable && (isLost || UNAVAILABLE.includes(status) || code === 'idempotency_in_flight')
}

/** Random, so that clients that failed together do not return together. */
const pauseBefore = (retry: number) => Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
