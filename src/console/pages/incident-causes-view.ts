import type { Incident } from '../../diagnostics/reports/incidents.ts'
import { adviceForFailure } from '../text/failure-advice-text.ts'
import { capitalizeFailure } from '../text/failure-kind-text.ts'
import { formatNumber } from '../text/format-numbers.ts'
import { mergeTimeoutCauses } from '../text/merge-timeout-causes.ts'

export interface FailureCauseView {
  name: string
  /** Empty: no response counts, only the state of the store. */
  count: string
  advice: string
}

/** Counts responses by kind of failure. One that made no call counts for the failure that had paused the calls. */
export const toCauseViews = ({ causes }: Pick<Incident, 'causes'>): FailureCauseView[] =>
  mergeTimeoutCauses(causes).map(({ kind, count }) => ({
    name: capitalizeFailure(kind),
    count: count === 0 ? '' : formatNumber(count),
    advice: adviceForFailure(kind),
  }))

export const countPaused = (codes: Incident['codes']) => codes.find(({ code }) => code === 'circuit_open')?.count ?? 0
