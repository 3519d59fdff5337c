import type { UpstreamError } from '../errors.ts'
import type { SourceName } from '../ports/system.ts'
import { failureCause } from '../upstream/request/failure-cause.ts'
import { failureKind } from '../upstream/request/failure-kind.ts'
import type { SectionOutcome } from '../upstream/request/section-outcome.ts'
import type { Section } from './section.ts'
import { codeAndDetailOf, type SectionFailed } from './section-errors.ts'

/** The outcome of a section of one response, for logs, metrics and diagnostics. */
export interface SectionTrace extends SectionOutcome {
  name: string
  ms: number
}

export const toSectionTrace = (name: string, section: Section<unknown>, ms: number): SectionTrace =>
  Object.assign(outcomeOf(section), { name, ms: Math.round(ms * 10) / 10 })

export function outcomeOf(section: Section<unknown>): SectionOutcome {
  const { error, stale, asOf } = section
  const outcome: SectionOutcome = {
    outcome: error?.failure ?? 'ok',
    system: section.system ?? error?.system ?? null,
    code: error && codeAndDetailOf(section, error)[0],
    staleAsOf: stale && Number.isFinite(asOf) ? asOf : null,
    cause: error && failureCause(error),
    simulated: error?.simulated ?? false,
  }
  if (error) outcome.kind = failureKind(error)
  if (section.mirrored) outcome.mirrored = true
  return outcome
}

/** The trace of a successful read that is the whole response. */
export const successTrace = (name: string, system: SourceName, ms: number): SectionTrace =>
  toSectionTrace(name, { value: null, error: null, stale: false, partial: false, asOf: 0, system }, ms)

/** The trace of a section that is missing, whatever the response says about it. */
export const missingTrace = (name: string, error: UpstreamError, ms: number): SectionTrace =>
  toSectionTrace(name, { value: null, error, stale: false, partial: false, asOf: 0 }, ms)

/** The trace of a request that failed because a required section did. */
export const failureTrace = ({ section, failure }: SectionFailed, ms: number): SectionTrace =>
  missingTrace(section, failure, ms)
