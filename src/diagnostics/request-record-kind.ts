import type { FinishedRequest } from './finished-request.ts'
import { isSectionDegraded } from './is-section-degraded.ts'

export type RecordKind = 'degraded' | 'slow' | 'refused'

/** Statuses that need no record: not found, method not allowed, failed precondition, invalid input, client disconnected. */
const unrecordedStatuses: ReadonlySet<number> = new Set([404, 405, 412, 422, 499])
export const SLOW_REQUEST_MS = 1_000
/** The share of its deadline after which a request is slow. */
const SLOW_SHARE = 0.8

/** Returns whether the caller requested a simulated failure. */
export const isSimulatedRequest = ({ sections }: FinishedRequest) =>
  sections?.some(({ simulated }) => simulated) ?? false

/** Returns the kind of record that a request gets; `null` for none. */
export function toRecordKind({ status, ms, deadlineMs, sections }: FinishedRequest): RecordKind | null {
  if (status >= 500 || sections?.some((section) => isSectionDegraded(status, section))) return 'degraded'
  if (status >= 400 && !unrecordedStatuses.has(status)) return 'refused'
  if (ms >= SLOW_REQUEST_MS || (deadlineMs !== undefined && ms >= deadlineMs * SLOW_SHARE)) return 'slow'
  return null
}
