import { isDegraded, isSimulated } from '../diagnostics/outcome-rules.ts'
import type { Outcome } from '../diagnostics/request-outcome.ts'
import type { SectionTrace } from '../sections/section.ts'

/** What came of a request, as its reader sees it. `simulated`: a failure was asked for. `left`: nobody waited for the answer. */
export const judgements = ['complete', 'degraded', 'failed', 'refused', 'simulated', 'left'] as const
export type Judgement = (typeof judgements)[number]

export function judged(outcome: Outcome): Judgement {
  const { status, sections } = outcome
  if (status === 499) return 'left'
  if (isSimulated(outcome)) return 'simulated'
  if (status >= 500) return isNotOffered(outcome) ? 'refused' : 'failed'
  if (sections?.some((section) => isDegraded(status, section))) return 'degraded'
  return status >= 400 ? 'refused' : 'complete'
}

/** What a back office does not offer is missing for good: whoever asks for it all the same meets no failure. */
const isNotOffered = ({ sections = [] }: Outcome) =>
  sections.length > 0 && sections.every(({ outcome }) => outcome === 'not_configured')

/** What a reader had of a section: itself, what was last good, some of its rows, or nothing. */
export function servedOf({ outcome, code, staleAsOf }: SectionTrace): 'fresh' | 'last_good' | 'part' | 'missing' {
  if (outcome === 'ok') return 'fresh'
  if (code === 'partial_result') return 'part'
  return staleAsOf === null ? 'missing' : 'last_good'
}
