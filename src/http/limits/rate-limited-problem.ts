import { Problem } from '../../errors.ts'
import { type ReportedLimits, type RequestLimit, toReportedHeaders } from './rate-limit-headers.ts'

/** Creates the 429 for the limits that are reached. */
export function createRateLimitedProblem(limits: ReportedLimits, detail: string): Problem {
  const headers = toReportedHeaders(limits)
  const retryAfter = String(Math.max(1, Number(headers['X-RateLimit-Reset'])))
  const limit: RequestLimit = limits.key ? 'key' : 'client'
  return new Problem('rate_limited', detail, { headers: { ...headers, 'Retry-After': retryAfter }, limit })
}
