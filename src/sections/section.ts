import { Problem, type ProblemCode, type UpstreamError, type UpstreamFailure } from '../errors.ts'
import type { PortName as System } from '../ports/system.ts'
import type { LoadResult } from '../upstream/cached-loader.ts'
import { failureCause } from '../upstream/call-trace.ts'
import type { RequestScope } from '../upstream/request-scope.ts'
import type { SectionOutcome } from '../upstream/trace-recorder.ts'

/** One named part of an answer, filled by one source. */
export interface Section<T> {
  value: T
  /** Why it is missing or old. */
  error: UpstreamError | null
  /** Filled, for the part that failed, from the last good value. */
  stale: boolean
  /** Some rows are there, and some are neither there nor known from before. */
  partial: boolean
  asOf: number
  /** Whose it is. */
  system?: System | undefined
}

export interface SectionError {
  field: string
  code: string
  detail: string
  stale?: boolean
  as_of?: string
  retry_after_ms?: number
}

/** How a section went. */
export interface SectionTrace extends SectionOutcome {
  name: string
  ms: number
}

/** Thrown when a section without which there is no answer has neither a value nor a last-good one. */
export class SectionFailed extends Error {
  readonly section: string
  readonly failure: UpstreamError
  /** Whether the log has this failure already. */
  readonly told: boolean

  constructor(section: string, failure: UpstreamError, { told = false }: { told?: boolean } = {}) {
    super(`${section}: ${failure.message}`, { cause: failure })
    this.told = told
    this.name = 'SectionFailed'
    this.section = section
    this.failure = failure
  }

  problem(): Problem {
    const seconds = Math.max(1, Math.ceil((this.failure.retryAfterMs ?? 1_000) / 1_000))
    return new Problem(problemCodes[this.failure.failure], undefined, {
      headers: { 'Retry-After': String(seconds) },
      cause: this.failure,
    })
  }
}

const sectionCodes: Record<UpstreamFailure, readonly [code: string, detail: string]> = {
  timeout: ['downstream_timeout', 'The system behind this section did not answer in time.'],
  unavailable: ['downstream_unavailable', 'The system behind this section cannot be reached.'],
  error: ['downstream_error', 'The system behind this section answered with an error.'],
  rejected: ['downstream_error', 'The system behind this section refused the question.'],
  invalid: ['invalid_downstream_response', 'The system behind this section gave an answer that cannot be read.'],
  rate_limited: ['downstream_rate_limited', 'The system behind this section limits how often it may be asked.'],
  circuit_open: ['circuit_open', 'The system behind this section is failing and is being given time to recover.'],
  overloaded: ['overloaded', 'Too many questions are waiting for the system behind this section.'],
  not_configured: ['not_configured', 'The back office of this merchant does not offer this section.'],
  aborted: ['downstream_unavailable', 'The question behind this section was given up.'],
}

const PARTIAL = ['partial_result', 'The system behind this section failed for some of its rows.'] as const

const problemCodes: Record<UpstreamFailure, ProblemCode> = {
  timeout: 'downstream_timeout',
  unavailable: 'downstream_unavailable',
  error: 'downstream_error',
  rejected: 'downstream_error',
  invalid: 'downstream_error',
  rate_limited: 'downstream_unavailable',
  circuit_open: 'circuit_open',
  overloaded: 'overloaded',
  not_configured: 'downstream_unavailable',
  aborted: 'downstream_unavailable',
}

/** A section of one value. */
export function valueSection<V>(filled: LoadResult<V>): Section<V | null> {
  const { value, error, asOf, system } = filled
  return { value, error, stale: error !== null && value !== null, partial: false, asOf, system }
}

/** A section of one value a row. One failure speaks for the column: `errors[]` never grows with the rows. */
export function columnSection<V>(filled: readonly LoadResult<V>[]): Section<(V | null)[]> {
  let error: UpstreamError | null = null
  let missing = 0
  let asOf = Number.POSITIVE_INFINITY
  for (const row of filled) {
    if (!row.error) continue
    error ??= row.error
    if (row.value === null) missing += 1
    else asOf = Math.min(asOf, row.asOf)
  }
  const partial = missing > 0 && missing < filled.length
  const stale = error !== null && missing === 0
  return { value: filled.map((row) => row.value), error, stale, partial, asOf, system: filled[0]?.system }
}

export interface SectionSource<T> {
  required: boolean
  section: Promise<Section<T>>
}

/** Without it there is no answer: its failure fails the request and gives up the other sections. */
export const required = <T>(section: Promise<Section<T>>): SectionSource<T> => ({ required: true, section })
/** It may be missing, and `errors[]` then says why. */
export const optional = <T>(section: Promise<Section<T>>): SectionSource<T> => ({ required: false, section })

export interface AssembledSections<V> {
  values: V
  errors: SectionError[]
  traces: SectionTrace[]
}

/** Fills all sections at once. Errors come in declared order, so equal data gives equal bytes and one ETag. */
export async function fanOut<V extends Record<string, unknown>>(
  requestScope: RequestScope,
  sources: { [K in keyof V]: SectionSource<V[K]> },
): Promise<AssembledSections<V>> {
  const startedAt = performance.now()
  const filled = await Promise.all(
    Object.entries<SectionSource<unknown>>(sources).map(async ([name, source]) => {
      const end = requestScope.recorder?.section?.(name)
      const section = await (end ? followed(source.section, end) : source.section)
      const { error } = section
      if (error && source.required && !section.stale && !section.partial && error.failure !== 'not_configured') {
        requestScope.leave()
        error.system ??= section.system ?? null
        throw new SectionFailed(name, error)
      }
      return { name, section, ms: performance.now() - startedAt }
    }),
  )
  const values = Object.fromEntries(filled.map(({ name, section }) => [name, section.value])) as V
  const errors = filled.flatMap(({ name, section }) =>
    section.error ? [sectionError(name, section, section.error)] : [],
  )
  return { values, errors, traces: filled.map(({ name, section, ms }) => traceOf(name, section, ms)) }
}

async function followed<T>(
  section: Promise<Section<T>>,
  end: (went: SectionOutcome | null) => void,
): Promise<Section<T>> {
  let went: SectionOutcome | null = null
  try {
    const filled = await section
    went = endOf(filled)
    return filled
  } finally {
    end(went)
  }
}

const traceOf = (name: string, section: Section<unknown>, ms: number): SectionTrace => ({
  name,
  ms: Math.round(ms * 10) / 10,
  ...endOf(section),
})

function endOf(section: Section<unknown>): SectionOutcome {
  const { error, stale, asOf } = section
  return {
    outcome: error?.failure ?? 'ok',
    system: section.system ?? error?.system ?? null,
    code: error && (section.partial ? PARTIAL : sectionCodes[error.failure])[0],
    staleAsOf: stale && Number.isFinite(asOf) ? asOf : null,
    cause: error && failureCause(error),
    simulated: error?.simulated ?? false,
  }
}

/** Of what is an answer in itself, and was had. */
export const successTrace = (name: string, system: System, ms: number): SectionTrace =>
  traceOf(name, { value: null, error: null, stale: false, partial: false, asOf: 0, system }, ms)

/** Of what is missing, whatever the answer says of it. */
export const missingTrace = (name: string, error: UpstreamError, ms: number): SectionTrace =>
  traceOf(name, { value: null, error, stale: false, partial: false, asOf: 0 }, ms)

/** Of a request that failed for want of a section. */
export const failureTrace = ({ section, failure }: SectionFailed, ms: number): SectionTrace =>
  missingTrace(section, failure, ms)

export function sectionError(
  field: string,
  section: Pick<Section<unknown>, 'stale' | 'partial' | 'asOf'>,
  error: UpstreamError,
): SectionError {
  const [code, detail] = section.partial ? PARTIAL : sectionCodes[error.failure]
  const entry: SectionError = { field, code, detail }
  if (section.stale) {
    entry.stale = true
    if (Number.isFinite(section.asOf) && section.asOf > 0) entry.as_of = new Date(section.asOf).toISOString()
  }
  if (error.retryAfterMs !== undefined) entry.retry_after_ms = Math.round(error.retryAfterMs)
  return entry
}

/** Whether the answer may be kept: what a back office does not offer is missing for good, anything else passes. */
export const isCacheable = (errors: readonly SectionError[]) => errors.every((entry) => entry.code === 'not_configured')
