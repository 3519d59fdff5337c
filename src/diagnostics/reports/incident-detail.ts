import { circuitsOf } from '../../ports/circuit-name.ts'
import type { Database } from '../../storage/database.ts'
import { type BreakerChange, listBreakerChanges, listNextClosings } from '../../storage/diagnostics/breaker-changes.ts'
import { findIncidentRow } from '../../storage/diagnostics/incident-queries.ts'
import type { IncidentSample } from '../../storage/diagnostics/incident-updates.ts'
import type { IncidentRow } from '../../storage/diagnostics/open-incidents.ts'
import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'
import type { CircuitTransition } from '../buffers/circuit-change-buffer.ts'
import { type Incident, toIncident } from './incidents.ts'
import { listOutageRows } from './outage-incidents.ts'
import { openUntil } from './outages.ts'

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
  /** Changes of the system's circuits from a minute before the outage to a minute after, and the end of each pause that lasted longer. */
  changes: CircuitChange[]
  /** The other incidents of its outage. */
  related: Incident[]
  /** Ids of those of `related` that were degraded in the same responses, as far as samples tell. */
  inSameResponses: string[]
  /** How many responses each of `related` shares with this one, by its id; absent: unknown, because not all are samples. */
  sharedResponses: Readonly<Record<string, number>>
}

/** Returns an incident; `null` when it is unknown or already deleted. */
export async function findIncident(db: Database, incidentId: string): Promise<IncidentDetail | null> {
  const row = await findIncidentRow(db, incidentId)
  if (!row) return null
  const samples = readSamples(row).map(toRequest)
  const related = await listRelatedIncidents(db, row)
  const changes = keepOwnPauses(
    (await listChanges(db, row, [row, ...related])).map(toChange),
    [row, ...related].map(toIncident),
  )
  const inSameResponses = related.filter((other) => hasSameResponses(row, other)).map(({ incident_id }) => incident_id)
  return {
    ...toIncident(row),
    samples,
    changes,
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

async function listChanges(db: Database, row: IncidentRow, outage: readonly IncidentRow[]): Promise<BreakerChange[]> {
  const circuits = { merchant: row.tenant_id, mode: row.mode, circuits: circuitsOf(row.system), limit: MAX_CHANGES }
  const from = iso(Math.min(...outage.map(({ began_at }) => Date.parse(began_at))) - CHANGES_MARGIN_MS)
  const to = iso(Math.max(...outage.map(({ last_at }) => Date.parse(last_at))) + CHANGES_MARGIN_MS)
  const changes = await listBreakerChanges(db, { ...circuits, from, to })
  const latest = new Map(changes.map((change) => [toCircuitKey(change), change]))
  const isPaused = (circuit: string) => latest.get(circuit)?.state === 'open'
  if (![...latest.keys()].some(isPaused)) return changes
  const closings = await listNextClosings(db, { ...circuits, after: to })
  return [...changes, ...closings.filter((closing) => isPaused(toCircuitKey(closing)))]
}

const toCircuitKey = ({ process, system }: BreakerChange) => `${process} ${system}`

/** Leaves out the pauses that ended before an outage began, and those that began after it ended: they belong to other outages. */
function keepOwnPauses(changes: readonly CircuitChange[], outage: readonly Incident[]): CircuitChange[] {
  const beganAt = Math.min(...outage.map((incident) => incident.beganAt))
  const until = Math.max(...outage.map(openUntil))
  return changes.filter((change, index) => {
    const isSame = ({ circuit, process }: CircuitChange) => circuit === change.circuit && process === change.process
    const isOpening = (other: CircuitChange) => isSame(other) && other.state === 'open'
    const isClosing = (other: CircuitChange) => isSame(other) && other.state === 'closed'
    if (change.state === 'open') {
      const closing = changes.slice(index).find(isClosing)
      return change.at <= until && (closing === undefined || closing.at >= beganAt)
    }
    if (change.state !== 'closed') return true
    const opening = changes.slice(0, index).findLast(isOpening)
    return change.at >= beganAt && (opening === undefined || opening.at <= until)
  })
}

async function listRelatedIncidents(db: Database, row: IncidentRow): Promise<IncidentRow[]> {
  if (row.system === '') return []
  const outage = await listOutageRows(db, [toIncident(row)])
  return outage.filter(({ incident_id }) => incident_id !== row.incident_id)
}

const CHANGES_MARGIN_MS = 60_000
const MAX_CHANGES = 200

const iso = (ms: number) => new Date(ms).toISOString()

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
