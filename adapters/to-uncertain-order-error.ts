import { UpstreamError } from '../src/errors.ts'

const CERTAIN: ReadonlySet<string> = new Set(['not_configured', 'misconfigured'])

/**
 * Turns 'not_configured' and 'misconfigured' into 'error' once an order may have been started: callers read them as
 * proof that nothing was.
 */
export function toUncertainOrderError(error: unknown): unknown {
  if (!(error instanceof UpstreamError) || !CERTAIN.has(error.failure)) return error
  const { message, summary } = error
  return new UpstreamError('error', message, { cause: error, ...(summary !== null && { summary }) })
}
