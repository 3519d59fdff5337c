import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { isStoreIncident } from '../../../diagnostics/status/is-store-incident.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { capitalizeFailure } from '../../text/failure-kind-text.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import { mergeTimeoutCauses } from '../../text/merge-timeout-causes.ts'

export interface FailureCauseView {
  name: string
  /** Empty if no response was counted, and only the state of the store is known. */
  count: string
  advice: string
}

type CountedIncident = Pick<Incident, 'system' | 'section' | 'causes' | 'answers'>

/**
 * Returns the kind of failure of an incident of the database, or `undefined` if it is not known: the first requests fail before Forecourt knows the
 * reason.
 */
export const findStoreFailure = ({ causes, ...incident }: CountedIncident): string | undefined =>
  isStoreIncident(incident) && causes.length === 1 ? causes[0]!.kind : undefined

/** Counts responses by kind of failure. A response without a call counts for the failure that paused the calls. */
export function toCauseViews(incident: CountedIncident): FailureCauseView[] {
  const ofStore = findStoreFailure(incident)
  return mergeTimeoutCauses(incident.causes).map(({ kind, count: counted }) => {
    const count = kind === ofStore ? incident.answers : counted
    return {
      name: capitalizeFailure(kind),
      count: count === 0 ? '' : formatNumber(count),
      advice: adviceForFailure(kind),
    }
  })
}

export const countPaused = (codes: Incident['codes']) => codes.find(({ code }) => code === 'circuit_open')?.count ?? 0
