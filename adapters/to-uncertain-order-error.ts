import { UpstreamError } from '../src/errors.ts'

/**
 * Turns 'not_configured' into 'error' once an order may have been started: callers read 'not_configured' as proof that
 * nothing was.
 */
export function toUncertainOrderError(error: unknown): unknown {
  const isMissing = error instanceof UpstreamError && error.failure === 'not_configured'
  return isMissing ? new UpstreamError('error', error.message, { cause: error }) : error
}
