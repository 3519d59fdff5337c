import { circuitsOf } from '../../ports/circuit-name.ts'
import type { Database } from '../../storage/database.ts'
import { type BreakerChange, listBreakerChanges } from '../../storage/diagnostics/breaker-changes.ts'
import { type IncidentImpact, parseImpact } from '../../storage/diagnostics/incident-impact.ts'
import { findIncidentRow, listIncidentRows } from '../../storage/diagnostics/incident-queries.ts'
import type { IncidentSample } from '../../storage/diagnostics/incident-updates.ts'
import type { FailureCounts } from '../../storage/diagnostics/merge-failure-counts.ts'
import type { IncidentRow } from '../../storage/diagnostics/open-incidents.ts'
import type { Mode } from '../../tenant.ts'
import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'
import type { CircuitTransition } from '../buffers/circuit-change-buffer.ts'

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

/** A request of an incident. */
export interface IncidentRequest {
  requestId: string
  at: number
  code: string
  /** How the system failed. */
  kind?: string | undefined
  route: string
}

export interface CircuitChange {
  /** The name of the circuit: a system may have several. */
  circuit: string
  at: number
  process: string
  state: CircuitTransition
  /** The operator; `null` for a change by the circuit breaker. */
  by: string | null
  /** The failures that opened it. */
  causes: FailureCount[]
}

export interface IncidentDetail extends Incident {
  /** The first and the last requests, in order of time. */
  samples: IncidentRequest[]
  /** Changes of the system's circuits from a minute before the incident to a minute after. */
  changes: CircuitChange[]
  /** Incidents of other sections of the same system that were open at the same time. */
  related: Incident[]
  /** Ids of those of `related` that were degraded in the same responses, as far as samples tell. */
  inSameResponses: string[]
  /** How many responses each of `related` shares with this one, by its id; absent: unknown, because not all are samples. */
  sharedResponses: Readonly<Record<string, number>>
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

/** Returns an incident; `null` when it is unknown or already deleted. */
export async function findIncident(db: Database, incidentId: string): Promise<IncidentDetail | null> {
  const row = await findIncidentRow(db, incidentId)
  if (!row) return null
  const { tenant_id, mode, system } = row
  const changes = await listBreakerChanges(db, {
    merchant: tenant_id,
    mode,
    circuits: circuitsOf(system),
    limit: MAX_CHANGES,
    from: iso(Date.parse(row.began_at) - CHANGES_MARGIN_MS),
    to: iso(Date.parse(row.last_at) + CHANGES_MARGIN_MS),
  })
  const samples = readSamples(row).map(toRequest)
  const related = await listRelatedIncidents(db, row)
  const inSameResponses = related.filter((other) => hasSameResponses(row, other)).map(({ incident_id }) => incident_id)
  return {
    ...toIncident(row),
    samples,
    changes: changes.map(toChange),
    related: related.map(toIncident),
    inSameResponses,
    sharedResponses: Object.fromEntries(related.flatMap((other) => toSharedEntry(row, other))),
  }
}

function toSharedEntry(one: IncidentRow, other: IncidentRow): [incidentId: string, count: number][] {
  const [own, others] = [readSamples(one), readSamples(other)]
  if (own.length < one.answers || others.length < other.answers) return []
  const ids = new Set(own.map(({ request_id }) => request_id))
  return [[other.incident_id, others.filter(({ request_id }) => ids.has(request_id)).length]]
}

const readSamples = ({ samples }: IncidentRow) => JSON.parse(samples) as IncidentSample[]

function hasSameResponses(one: IncidentRow, other: IncidentRow): boolean {
  const idsOf = (row: IncidentRow) => readSamples(row).map(({ request_id }) => request_id)
  const ids = idsOf(one)
  return one.answers === other.answers && ids.length > 0 && ids.join('\n') === idsOf(other).join('\n')
}

/** One failing system degrades several sections at once: they are one outage. */
async function listRelatedIncidents(db: Database, row: IncidentRow): Promise<IncidentRow[]> {
  const { incident_id, tenant_id, mode, system, began_at, last_at, ended_at } = row
  if (system === '') return []
  const during = { from: began_at, to: ended_at === null ? LAST_TIME : last_at }
  const overlapping = await listIncidentRows(db, { merchant: tenant_id, mode, system, during, limit: MAX_RELATED })
  return overlapping.filter((other) => other.incident_id !== incident_id)
}

/** An incident that is still open overlaps with all that begin later. */
const LAST_TIME = '9999'

const CHANGES_MARGIN_MS = 60_000
const MAX_CHANGES = 200
const MAX_RELATED = 30

const iso = (ms: number) => new Date(ms).toISOString()

/** Parses `next`; one that this list cannot have returned means the first page. */
function parseCursor(before: string | undefined) {
  const [last_at, incident_id] = before?.split('~') ?? []
  return last_at && incident_id ? { last_at, incident_id } : undefined
}

const toIncident = (row: IncidentRow): Incident => ({
  incidentId: row.incident_id,
  tenant: row.tenant_id,
  mode: row.mode,
  system: row.system,
  section: row.section,
  beganAt: Date.parse(row.began_at),
  lastAt: Date.parse(row.last_at),
  recoveredAt: row.well_at === null ? null : Date.parse(row.well_at),
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

const toRequest = ({ request_id, at, code, kind, route }: IncidentSample): IncidentRequest => ({
  requestId: request_id,
  at: Date.parse(at),
  code,
  ...(kind !== undefined && { kind }),
  route,
})

const toChange = ({ system, at, process, state, by, causes }: BreakerChange): CircuitChange => ({
  circuit: system,
  at: Date.parse(at),
  process,
  state,
  by,
  causes: JSON.parse(causes ?? '[]') as FailureCount[],
})
