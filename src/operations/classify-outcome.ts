import { isSectionDegraded, isSimulatedOutcome } from '../diagnostics/outcome-rules.ts'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import type { SectionTrace } from '../sections/section.ts'

/** What came of a request, as its reader sees it. `simulated`: a failure was asked for. `left`: nobody waited for the answer. */
export const outcomeClasses = ['complete', 'degraded', 'failed', 'refused', 'simulated', 'left'] as const
export type OutcomeClass = (typeof outcomeClasses)[number]

export function classifyOutcome(outcome: RequestOutcome): OutcomeClass {
  const { status, sections } = outcome
  if (status === 499) return 'left'
  if (isSimulatedOutcome(outcome)) return 'simulated'
  if (status >= 500) return isNotOffered(outcome) ? 'refused' : 'failed'
  if (sections?.some((section) => isSectionDegraded(status, section))) return 'degraded'
  return status >= 400 ? 'refused' : 'complete'
}

/** What a back office does not offer is missing for good: whoever asks for it all the same meets no failure. */
const isNotOffered = ({ sections = [] }: RequestOutcome) =>
  sections.length > 0 && sections.every(({ outcome }) => outcome === 'not_configured')

/** What a reader had of a section: itself, what was last good, some of its rows, or nothing. */
export function classifyServedSection({
  outcome,
  code,
  staleAsOf,
}: SectionTrace): 'fresh' | 'last_good' | 'part' | 'missing' {
  if (outcome === 'ok') return 'fresh'
  if (code === 'partial_result') return 'part'
  return staleAsOf === null ? 'missing' : 'last_good'
}
