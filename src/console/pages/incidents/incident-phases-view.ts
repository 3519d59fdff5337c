import { type IncidentPhase, readIncidentPhases } from '../../../diagnostics/reports/incident-phases.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { formatNumber } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { mergeTimeoutCauses } from '../../text/merge-timeout-causes.ts'

export interface IncidentPhaseView {
  from: DisplayTime
  to: DisplayTime
  /** `4 × unreadable response`. */
  causes: string
  count: string
}

/** Reads the phases of an incident whose cause changed; empty: it did not, or not all responses are recorded. */
export async function readIncidentPhaseViews(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<IncidentPhaseView[]> {
  const toTime = (at: number) => merchants.time(at, incident.tenant)
  return (await readIncidentPhases(db, incident)).map(({ from, to, count, causes }: IncidentPhase) => ({
    from: toTime(from),
    to: toTime(to),
    causes: mergeTimeoutCauses(causes)
      .map((cause) => `${formatNumber(cause.count)} × ${cause.kind}`)
      .join(', '),
    count: formatNumber(count),
  }))
}
