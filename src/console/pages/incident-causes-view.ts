import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { callPauseTexts } from '../text/call-pause-text.ts'
import { adviceForFailure, capitalizeFailure } from '../text/failure-kind-text.ts'
import { formatNumber } from '../text/format-numbers.ts'

export interface FailureCauseView {
  name: string
  /** Empty: no response counts, only the state of the store. */
  count: string
  advice: string
}

/**
 * A response that made no call counts for the failure that had paused the calls. If there is only one kind of failure, such responses are
 * counted apart.
 */
export function toCauseViews({ causes, codes }: Incident): FailureCauseView[] {
  const paused = countPaused(codes)
  const views = causes.map(({ kind, count }) => ({
    name: capitalizeFailure(kind),
    count: count === 0 ? '' : formatNumber(count),
    advice: adviceForFailure(kind),
  }))
  const [only, ...others] = views
  const called = (causes[0]?.count ?? 0) - paused
  if (!only || others.length > 0 || paused === 0 || called <= 0) return views
  return [
    { ...only, count: formatNumber(called) },
    {
      name: callPauseTexts.open,
      count: formatNumber(paused),
      advice: 'Nothing: no call was made, because the failures above had paused the calls.',
    },
  ]
}

export const countPaused = (codes: Incident['codes']) => codes.find(({ code }) => code === 'circuit_open')?.count ?? 0
