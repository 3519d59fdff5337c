import { UpstreamError } from '../../../src/errors.ts'
import type { HttpResponse } from '../../../src/ports/http-client.ts'
import { redactedExcerpt } from '../../../src/upstream/redacted-excerpt.ts'

/** The name and message of an error of JSON-2; `null` when the body is not Odoo's. */
function parseError(text: string): { name: string; message: string } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { name, message } = value as Record<string, unknown>
    return typeof name === 'string' && typeof message === 'string' ? { name, message } : null
  } catch {
    return null
  }
}

/** Maps a response other than 200. Its text may contain names and figures: it is for the log alone. */
export function toRpcError(method: string, { status, text }: HttpResponse): UpstreamError {
  const error = parseError(text)
  const message = `${method} responded ${status}: ${redactedExcerpt(error ? `${error.name}: ${error.message}` : text)}`
  const summary = `responded ${status}`
  const isAbsent = status === 404 || status === 405
  if (error && isAbsent && !error.name.endsWith('MissingError'))
    return new UpstreamError('not_configured', `${message}: a module may be missing`, { summary })
  // Without an error of Odoo's own, another program responded, or an Odoo below 19, which has no JSON-2.
  if (status < 400 || (isAbsent && !error)) return new UpstreamError('invalid', message, { summary })
  return new UpstreamError('rejected', message, { summary })
}

/** Returns true for what Odoo refused for good; every other failure is passed on as it is. */
export const isRejected = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.failure === 'rejected' && !error.retryable
