import type { Database } from '../../storage/database.ts'
import { type IncidentImpact, parseImpact } from '../../storage/diagnostics/incident-impact.ts'
import { listIncidentRows } from '../../storage/diagnostics/incident-queries.ts'
import type { FailureCounts } from '../../storage/diagnostics/merge-failure-counts.ts'
import { type IncidentRow, readRespondingSince } from '../../storage/diagnostics/open-incidents.ts'
import type { Mode } from '../../tenant.ts'
import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'

/** A period in which a section of a merchant's responses was degraded, from the first degraded response to the last. */
export interface Incident {
  incidentId: string
  tenant: string
  mode: Mode
  /** Empty when the section belongs to no system. */
  system: string
  section: string
  /** Milliseconds since the epoch, as all times here. */
  beganAt: number
  /** Time of the last degraded response. */
  lastAt: number
  /** When the section was healthy again; `null` until a healthy response is seen. */
  recoveredAt: number | null
  /** Since when its system has responded to all other calls after the last degraded response; `null`: it has not, or nothing is known. */
  respondingSince: number | null
  /** Time of the last degraded response; `null` while open. An incident closes five seconds after a healthy response, or five minutes after the last degraded one. */
  endedAt: number | null
  /** Number of degraded responses. */
  answers: number
  /** Counts by code of `errors[]`, the most frequent first. */
  codes: { code: string; count: number }[]
  /** Counts by kind of failure, the most frequent first. For an open circuit, the failures that opened it are counted. */
  causes: FailureCount[]
  /** The shoppers and carts that it affected; `null`: an earlier release wrote it. */
  impact: IncidentImpact | null
}

export interface IncidentQuery {
  merchant?: string
  /** Without a merchant: only incidents of these, and of all merchants. */
  merchants?: readonly string[]
  mode?: Mode
  /** `true`: open ones; `false`: closed ones. */
  open?: boolean
  /** Incidents that began, were open or ended in this period (milliseconds since the epoch). */
  during?: { from: number; to: number }
  /** `next` of the previous page. */
  before?: string
  limit: number
}

/** Lists incidents, the latest first. */
export async function listIncidents(
  db: Database,
  { merchant, merchants, mode, open, during, before, limit }: IncidentQuery,
): Promise<{ incidents: Incident[]; next: string | null }> {
  const rows = await listIncidentRows(db, {
    merchant,
    merchants,
    mode,
    open,
    during: during && { from: iso(during.from), to: iso(during.to) },
    after: parseCursor(before),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    incidents: page.map(toIncident),
    next: rows.length > limit && last ? `${last.last_at}~${last.incident_id}` : null,
  }
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Parses `next`; one that this list cannot have returned means the first page. */
function parseCursor(before: string | undefined) {
  const [last_at, incident_id] = before?.split('~') ?? []
  return last_at && incident_id ? { last_at, incident_id } : undefined
}

export const toIncident = (row: IncidentRow): Incident => ({
  incidentId: row.incident_id,
  tenant: row.tenant_id,
  mode: row.mode,
  system: row.system,
  section: row.section,
  beganAt: Date.parse(row.began_at),
  lastAt: Date.parse(row.last_at),
  recoveredAt: row.well_at === null ? null : Date.parse(row.well_at),
  respondingSince: readRespondingSince(row),
  endedAt: row.ended_at === null ? null : Date.parse(row.ended_at),
  answers: row.answers,
  codes: Object.entries(JSON.parse(row.codes) as Record<string, number>)
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count),
  causes: Object.entries(JSON.parse(row.causes ?? '{}') as FailureCounts)
    .map(([kind, count]) => ({ kind, count }))
    .toSorted((a, b) => b.count - a.count),
  impact: parseImpact(row.impact),
})
