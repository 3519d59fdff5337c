import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { isSectionDegraded } from '../diagnostics/is-section-degraded.ts'
import { isSimulatedRequest } from '../diagnostics/request-record-kind.ts'
import type { SectionTrace } from '../sections/section-trace.ts'

/**
 * The classes of outcomes as a caller sees them. `simulated`: the caller requested a failure. `maintenance`: only planned maintenance degraded it or
 * made it fail. `left`: the caller disconnected.
 */
export const outcomeClasses = ['complete', 'degraded', 'failed', 'refused', 'simulated', 'maintenance', 'left'] as const
export type OutcomeClass = (typeof outcomeClasses)[number]

export function classifyOutcome(request: FinishedRequest): OutcomeClass {
  const { status, sections } = request
  if (status === 499) return 'left'
  if (isSimulatedRequest(request)) return 'simulated'
  if (isMaintenanceAlone(request)) return 'maintenance'
  if (status >= 500) return isNotOffered(request) ? 'refused' : 'failed'
  if (sections?.some((section) => isSectionDegraded(status, section))) return 'degraded'
  return status >= 400 ? 'refused' : 'complete'
}

/** Nobody is alerted about a part that is missing as planned. */
function isMaintenanceAlone({ status, sections = [] }: FinishedRequest): boolean {
  const degraded = sections.filter((section) => isSectionDegraded(status, section))
  return degraded.length > 0 && degraded.every(({ outcome }) => outcome === 'maintenance')
}

/** A request for something that the back office does not offer is refused, not failed. */
const isNotOffered = ({ sections = [] }: FinishedRequest) =>
  sections.length > 0 && sections.every(({ outcome }) => outcome === 'not_configured')

/** Classifies what a caller received of a section: fresh data, the last-good value, some of its rows, or nothing. */
export function classifyServedSection({
  outcome,
  code,
  staleAsOf,
}: SectionTrace): 'fresh' | 'last_good' | 'part' | 'missing' {
  if (outcome === 'ok') return 'fresh'
  if (code === 'partial_result') return 'part'
  return staleAsOf === null ? 'missing' : 'last_good'
}
