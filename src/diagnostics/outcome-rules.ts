import type { SectionTrace } from '../sections/section.ts'
import type { RequestOutcome } from './request-outcome.ts'
import type { RecordKind } from './request-records.ts'

/** What no one on call is asked about: not found, not allowed there, a version or an input that does not fit, a reader who left. */
const everyday: ReadonlySet<number> = new Set([404, 405, 412, 422, 499])
export const SLOW_REQUEST_MS = 1_000
/** Of its deadline. */
const SLOW_SHARE = 0.8

/** Whether shoppers had less than they asked for of that section, in an answer of that status. */
export function isSectionDegraded(status: number, { outcome, code }: SectionTrace): boolean {
  // Nobody had the answer of a reader who left; what was given up because another section failed says nothing of its own system.
  if (status === 499 || outcome === 'aborted') return false
  // What a back office does not offer is missing for good, and nobody's trouble.
  if (outcome === 'not_configured') return false
  return status >= 500 ? outcome !== 'ok' : code !== null
}

/** Whether a failure of it was asked for. */
export const isSimulatedOutcome = ({ sections }: RequestOutcome) =>
  sections?.some(({ simulated }) => simulated) ?? false

/** Why a request is worth a record; `null`: it is not. */
export function toRecordKind({ status, ms, deadlineMs, sections }: RequestOutcome): RecordKind | null {
  if (status >= 500 || sections?.some((section) => isSectionDegraded(status, section))) return 'degraded'
  if (status >= 400 && !everyday.has(status)) return 'refused'
  if (ms >= SLOW_REQUEST_MS || (deadlineMs !== undefined && ms >= deadlineMs * SLOW_SHARE)) return 'slow'
  return null
}
