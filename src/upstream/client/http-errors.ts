import { RequestError } from 'got'
import { parseRetryAfterMs } from '../../egress/retry-after.ts'
import { UpstreamError } from '../../errors.ts'
import type { HttpRequest, HttpResponse } from '../../ports/http-client.ts'
import { toLogExcerpt } from './log-excerpt.ts'

/** The longest time for which a system may postpone calls. */
const MAX_RETRY_AFTER_MS = 60_000
const MAX_REPLY_LENGTH = 65_536

/** Throws for a status that says something about the system itself: 429 and 5xx. */
export function checkStatus(response: HttpResponse, request: HttpRequest): HttpResponse {
  const { status, headers, text } = response
  if (status < 500 && status !== 429) return response
  const limits = { now: Date.now(), maxMs: MAX_RETRY_AFTER_MS }
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], limits) ?? undefined
  const message = describeStatus(request, status, text)
  const summary = `responded ${status}`
  if (status === 429) throw new UpstreamError('rate_limited', message, { retryAfterMs, summary })
  const retryable = status >= 502 && status <= 504
  const reply = { status, text: text.slice(0, MAX_REPLY_LENGTH) }
  throw new UpstreamError('error', message, { retryAfterMs, retryable, summary, reply })
}

/** Returns whether the system itself says that the thing does not exist. */
export const isNotFound = ({ isNotFound: recognizes }: HttpRequest, status: number, text: string) =>
  status === 404 && (recognizes?.(text) ?? false)

/**
 * Returns the error for a status that the protocol does not allow here. A 4xx says nothing about the system's health, except
 * 401, after which every call fails, and unless the server does not have the operation: then another program is behind this address.
 */
export function unexpectedStatus(request: HttpRequest, status: number, text: string): UpstreamError {
  const isForeign = status === 405 || (status === 404 && !isNotFound(request, status, text))
  const failure = status === 401 ? 'unauthorized' : status >= 400 && !isForeign ? 'rejected' : 'invalid'
  return new UpstreamError(failure, describeStatus(request, status, text), { summary: `responded ${status}` })
}

const describeStatus = ({ method, path }: HttpRequest, status: number, text: string) =>
  `${method} ${path} responded ${status}: ${toLogExcerpt(text)}`

export function abortReason(signal: AbortSignal): UpstreamError {
  return signal.reason instanceof UpstreamError ? signal.reason : new UpstreamError('aborted', 'the caller left')
}

const unreadableCodes = new Set(['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'UND_ERR_HEADERS_OVERFLOW'])

/** Returns the error for an exchange that ended without a response. */
export function toUpstreamError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error
  // got sets a code of its own on an error that occurs while the response is read; the cause has the original.
  const cause = error instanceof RequestError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined
  const code = cause?.code ?? (error as NodeJS.ErrnoException).code ?? 'ERR'
  const message = `${code}: ${error instanceof Error ? error.message : String(error)}`
  if (cause?.name === 'HTTPParserError' || unreadableCodes.has(code))
    return new UpstreamError('invalid', message, { cause: error })
  return new UpstreamError('unavailable', message, { cause: error, retryable: true, summary: code })
}
