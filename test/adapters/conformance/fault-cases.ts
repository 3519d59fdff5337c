import type { UpstreamError } from '../../../src/errors.ts'
import type { ProxyFault } from '../../support/fault-proxy.ts'

export interface Fault {
  name: string
  trouble: ProxyFault
  failure: UpstreamError['failure']
  retryable?: boolean
  retryAfterMs?: number
}

const said = (name: string, body: string): Fault => ({ name, trouble: { status: 200, body }, failure: 'invalid' })
const status = (code: number, failure: Fault['failure'], more: Partial<Fault> = {}): Fault => ({
  name: `answers ${code}`,
  trouble: { status: code, body: '{"error":"x","detail":"y"}' },
  failure,
  ...more,
})
const later = (code: number, seconds: string) => ({ status: code, headers: { 'retry-after': seconds } })

/** Faults of a system, and the failure that an adapter then rejects with. */
export const faults: Fault[] = [
  { name: 'breaks the connection', trouble: 'cut', failure: 'unavailable', retryable: true },
  { name: 'breaks off in the middle of a response', trouble: 'halve', failure: 'unavailable', retryable: true },
  status(500, 'error', { retryable: false }),
  {
    ...status(500, 'error', { retryable: false }),
    name: 'answers 500 without a reason',
    trouble: { status: 500, body: '' },
  },
  status(502, 'error', { retryable: true }),
  status(503, 'error', { trouble: later(503, '7'), retryable: true, retryAfterMs: 7_000 }),
  status(429, 'rate_limited', { trouble: later(429, '3'), retryAfterMs: 3_000 }),
  said('answers nothing', ''),
  said('answers no JSON', 'Traceback (most recent call last):'),
  said('answers half of a JSON document', '{"data":[{"sku":"A","na'),
  said('answers an HTML page', '<!doctype html><title>Sign in</title><form></form>'),
  said('answers JSON of another shape', '{"unexpected":[{"deep":true}]}'),
  said('answers a number', '42'),
  said('answers too much', `"${'x'.repeat(9_000_000)}"`),
  { ...status(302, 'invalid'), trouble: { status: 302, headers: { location: '/login' }, body: '<html></html>' } },
  status(400, 'rejected', { retryable: false }),
  status(403, 'rejected', { retryable: false }),
  // Last, because an adapter may rightly delay the next login with a rejected password.
  status(401, 'unauthorized', { retryable: false }),
]

/** Describes how an outcome differs from the failure of this fault; undefined when it matches. */
export function describeMismatch({ failure, retryable, retryAfterMs }: Fault, outcome: unknown): string | undefined {
  const error = outcome as Partial<UpstreamError>
  if (!(outcome instanceof Error) || outcome.name !== 'UpstreamError') return `${failure} expected, came ${outcome}`
  if (error.failure !== failure) return `${failure} expected, came ${error.failure}: ${error.message}`
  if (retryable !== undefined && error.retryable !== retryable) return `retryable is ${error.retryable}`
  if (retryAfterMs !== undefined && error.retryAfterMs !== retryAfterMs) return `retryAfterMs is ${error.retryAfterMs}`
  return undefined
}
