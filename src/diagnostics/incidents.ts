import type { Mode } from '../config/config.ts'
import type { Database } from '../storage/database.ts'
import { type BreakerChange, listBreakerChanges } from '../storage/diagnostics/breaker-changes.ts'
import { findIncidentRow, listIncidentRows } from '../storage/diagnostics/incident-queries.ts'
import type { IncidentSample } from '../storage/diagnostics/incident-updates.ts'
import type { IncidentRow } from '../storage/diagnostics/open-incidents.ts'
import type { CircuitTransition } from './diagnostics.ts'

/** A section of a merchant's answers that was degraded, from its first such answer to its last. */
export interface Incident {
  incidentId: string
  tenant: string
  mode: Mode
  /** Empty: the section is of no system. */
  system: string
  section: string
  /** Milliseconds since the epoch, as all times here. */
  beganAt: number
  /** Of the last degraded answer. */
  lastAt: number
  /** When the section was well again; `null`: nobody has seen that yet. */
  wellAt: number | null
  /** `null`: it goes on. Else the last degraded answer's time: it is known to be over five seconds after a good answer, or five minutes after the last bad one. */
  endedAt: number | null
  /** Degraded answers. */
  answers: number
  /** How many of each code of `errors[]`, the most frequent first. */
  codes: { code: string; count: number }[]
}

const SILENT_MS = 10_000

/** Of one that is open: no degraded answer came for so long that nothing is known of what shoppers would see. */
export const isIncidentSilent = ({ lastAt }: Pick<Incident, 'lastAt'>, now: number): boolean => now - lastAt > SILENT_MS

/** One of its requests. */
export interface IncidentRequest {
  requestId: string
  at: number
  code: string
  route: string
}

export interface CircuitChange {
  at: number
  process: string
  state: CircuitTransition
  /** The operator; `null`: nobody. */
  by: string | null
}

export interface IncidentDetail extends Incident {
  /** Its first requests and its last, in order of time. */
  samples: IncidentRequest[]
  /** What the system's circuits did from a minute before it to a minute after. */
  changes: CircuitChange[]
}

export interface IncidentQuery {
  tenant?: string
  mode?: Mode
  /** `true`: those that go on; `false`: those that are over. */
  open?: boolean
  /** Those that went on at that instant (milliseconds since the epoch) or in the five minutes before it. */
  at?: number
  /** `next` of the page before. */
  before?: string
  limit: number
}

/** The latest first. */
export async function listIncidents(
  db: Database,
  { tenant, mode, open, at, before, limit }: IncidentQuery,
): Promise<{ incidents: Incident[]; next: string | null }> {
  const during = at === undefined ? undefined : { from: iso(at - SHORTLY_MS), to: iso(at) }
  const rows = await listIncidentRows(db, { tenant, mode, open, during, after: placeOf(before), most: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    incidents: shown.map(incidentFrom),
    next: rows.length > limit && last ? `${last.last_at}~${last.incident_id}` : null,
  }
}

/** `null`: there is none of that id, or it was so long ago that it is forgotten. */
export async function findIncident(db: Database, incidentId: string): Promise<IncidentDetail | null> {
  const row = await findIncidentRow(db, incidentId)
  if (!row) return null
  const { tenant_id, mode, system } = row
  const changes = await listBreakerChanges(db, {
    ...{ tenant: tenant_id, mode, system, most: MOST_CHANGES },
    from: iso(Date.parse(row.began_at) - AROUND_MS),
    to: iso(Date.parse(row.last_at) + AROUND_MS),
  })
  const samples = (JSON.parse(row.samples) as IncidentSample[]).map(sampleFrom)
  return { ...incidentFrom(row), samples, changes: changes.map(changeFrom) }
}

const AROUND_MS = 60_000
/** Who asks what was at 14:05 was told of it a little later, by somebody whose clock is another. */
const SHORTLY_MS = 300_000
const MOST_CHANGES = 200

const iso = (ms: number) => new Date(ms).toISOString()

/** A place in the list that nobody can have been given is its beginning. */
function placeOf(before: string | undefined) {
  const [last_at, incident_id] = before?.split('~') ?? []
  return last_at && incident_id ? { last_at, incident_id } : undefined
}

const incidentFrom = (row: IncidentRow): Incident => ({
  ...{ incidentId: row.incident_id, tenant: row.tenant_id, mode: row.mode, system: row.system, section: row.section },
  ...{ beganAt: Date.parse(row.began_at), lastAt: Date.parse(row.last_at), answers: row.answers },
  wellAt: row.well_at === null ? null : Date.parse(row.well_at),
  endedAt: row.ended_at === null ? null : Date.parse(row.ended_at),
  codes: Object.entries(JSON.parse(row.codes) as Record<string, number>)
    .map(([code, count]) => ({ code, count }))
    .toSorted((a, b) => b.count - a.count),
})

const sampleFrom = ({ request_id, at, code, route }: IncidentSample): IncidentRequest => ({
  ...{ requestId: request_id, at: Date.parse(at), code, route },
})

const changeFrom = ({ at, process, state, by }: BreakerChange): CircuitChange => ({
  ...{ at: Date.parse(at), process, state, by },
})
