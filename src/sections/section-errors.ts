import type { SectionErrorCode } from '../contract/section-error-codes.ts'
import { Problem, type UpstreamError, type UpstreamFailure } from '../errors.ts'
import type { ProblemCode } from '../problem-types.ts'
import type { Section } from './section.ts'

/** An entry of `errors[]` in a response. */
export interface SectionError {
  field: string
  code: SectionErrorCode
  detail: string
  stale?: boolean
  as_of?: string
  retry_after_ms?: number
  until?: string
}

/** Thrown when a required section has neither a value nor a last-good one. */
export class SectionFailed extends Error {
  readonly section: string
  readonly failure: UpstreamError
  /** The log has this failure already. */
  readonly isLogged: boolean

  constructor(section: string, failure: UpstreamError, { isLogged = false }: { isLogged?: boolean } = {}) {
    super(`${section}: ${failure.message}`, { cause: failure })
    this.name = 'SectionFailed'
    this.isLogged = isLogged
    this.section = section
    this.failure = failure
  }

  problem(): Problem {
    const seconds = Math.max(1, Math.ceil((this.failure.retryAfterMs ?? 1_000) / 1_000))
    const { untilMs } = this.failure
    return new Problem(problemCodes[this.failure.failure], undefined, {
      headers: { 'Retry-After': String(seconds) },
      ...(untilMs !== null && { members: { until: new Date(untilMs).toISOString() } }),
      cause: this.failure,
    })
  }
}

type CodeAndDetail = readonly [code: SectionErrorCode, detail: string]

const failureCodes: Record<UpstreamFailure, CodeAndDetail> = {
  timeout: ['downstream_timeout', 'The upstream system did not respond in time.'],
  unavailable: ['downstream_unavailable', 'The upstream system could not be reached.'],
  error: ['downstream_error', 'The upstream system responded with an error.'],
  rejected: ['downstream_error', 'The upstream system rejected the request.'],
  unauthorized: ['downstream_error', 'The upstream system rejected the request.'],
  misconfigured: ['downstream_error', 'The upstream system rejected the request.'],
  invalid: ['invalid_downstream_response', 'The upstream system sent a response that could not be read.'],
  rate_limited: ['downstream_rate_limited', 'The upstream system refused the call because it was called too often.'],
  circuit_open: ['circuit_open', 'The upstream system is failing. It is not called until it has had time to recover.'],
  maintenance: ['maintenance', 'The upstream system is under planned maintenance, which ends at `until`.'],
  overloaded: ['overloaded', 'Too many calls are waiting for the upstream system.'],
  not_configured: ['not_configured', 'The back office of this merchant does not offer this section.'],
  aborted: ['downstream_unavailable', 'The call for this section was abandoned.'],
}

const PARTIAL: CodeAndDetail = ['partial_result', 'The upstream system failed for some of the rows.']

const problemCodes: Record<UpstreamFailure, ProblemCode> = {
  timeout: 'downstream_timeout',
  unavailable: 'downstream_unavailable',
  error: 'downstream_error',
  rejected: 'downstream_error',
  unauthorized: 'downstream_error',
  misconfigured: 'downstream_error',
  invalid: 'downstream_error',
  rate_limited: 'downstream_unavailable',
  circuit_open: 'circuit_open',
  maintenance: 'maintenance',
  overloaded: 'overloaded',
  not_configured: 'downstream_unavailable',
  aborted: 'downstream_unavailable',
}

/** The `code` and `detail` of a section that failed. */
export const codeAndDetailOf = ({ partial }: Pick<Section<unknown>, 'partial'>, { failure }: UpstreamError) =>
  partial ? PARTIAL : failureCodes[failure]

export function sectionError(
  field: string,
  section: Pick<Section<unknown>, 'stale' | 'partial' | 'asOf'>,
  error: UpstreamError,
): SectionError {
  const [code, detail] = codeAndDetailOf(section, error)
  const entry: SectionError = { field, code, detail }
  if (section.stale) {
    entry.stale = true
    if (Number.isFinite(section.asOf) && section.asOf > 0) entry.as_of = new Date(section.asOf).toISOString()
  }
  if (error.retryAfterMs !== undefined) entry.retry_after_ms = Math.round(error.retryAfterMs)
  if (error.untilMs !== null) entry.until = new Date(error.untilMs).toISOString()
  return entry
}

/** Returns whether the response may be cached. A section that the back office does not offer stays missing; any other failure may pass. */
export const isCacheable = (errors: readonly SectionError[]) => errors.every(({ code }) => code === 'not_configured')
