import type { Transaction } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'
import { type IncidentImpact, mergeImpacts, parseImpact, stringifyImpact } from './incident-impact.ts'
import { type FailureCounts, mergeFailureCounts } from './merge-failure-counts.ts'
import { INCIDENT_IDLE_MS, INCIDENT_QUIET_MS, type IncidentKey, type IncidentRow } from './open-incidents.ts'

export interface IncidentSample {
  request_id: string
  at: string
  code: string
  /** How the system failed; absent: unknown, or an earlier release wrote it. */
  kind?: string
  route: string
}

/** Degraded responses of a section that are not in the store yet. */
export interface IncidentUpdate extends IncidentKey {
  first_at: string
  last_at: string
  answers: number
  /** Counts by code of `errors[]`. */
  codes: Record<string, number>
  /** Counts by kind of failure. */
  causes: FailureCounts
  /** In order of time. */
  samples: IncidentSample[]
  /** Absent: no client is known to be affected. */
  impact?: IncidentImpact
}

/** Adds to the open incidents of these sections and opens the missing ones, all or nothing. Each section may occur once. */
export async function applyIncidentUpdates(db: Database, updates: readonly IncidentUpdate[]): Promise<void> {
  if (updates.length === 0) return
  await transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incidents')
    const open = await findOrReopenIncidents(transaction, updates)
    const rows = updates.map((update) => mergeUpdate(open.get(nameOf(update)) ?? createIncident(update), update))
    for (const chunk of chunkRows(rows)) await upsertIncidents(transaction, chunk)
  })
}

/** Returns the open incidents by section. A late response reopens the ended incident that it would have kept open. */
async function findOrReopenIncidents(transaction: Transaction<Tables>, updates: readonly IncidentUpdate[]) {
  const open = new Map<string, IncidentRow>()
  const rows = transaction.selectFrom('incidents').selectAll()
  for (const row of await rows.where('ended_at', 'is', null).execute()) open.set(nameOf(row), row)
  const missing = new Map(
    updates.filter((update) => !open.has(nameOf(update))).map((update) => [nameOf(update), update]),
  )
  if (missing.size === 0) return open
  const since = [...missing.values()].map(({ first_at }) => before(first_at, INCIDENT_IDLE_MS)).toSorted()[0]!
  // In this order the Map holds the latest incident of each section.
  const recent = await rows.where('last_at', '>=', since).where('ended_at', 'is not', null).orderBy('last_at').execute()
  const ended = new Map(recent.map((row) => [nameOf(row), row]))
  const reopened = [...ended.values()].filter((row) => {
    const update = missing.get(nameOf(row))
    return update && row.last_at > before(update.first_at, endsAfterMs(row))
  })
  for (const row of reopened) open.set(nameOf(row), { ...row, ended_at: null })
  for (const chunk of chunkRows(reopened.map(({ incident_id }) => incident_id)))
    await transaction.updateTable('incidents').set({ ended_at: null }).where('incident_id', 'in', chunk).execute()
  return open
}

/** Returns how long after its last degraded response an ended incident can have another: longer if nothing shows that its system worked since. */
const endsAfterMs = ({ well_at, responding_since, last_at }: IncidentRow) =>
  [well_at, responding_since].some((at) => at !== null && at > last_at) ? INCIDENT_QUIET_MS : INCIDENT_IDLE_MS

const nameOf = ({ tenant_id, mode, system, section }: IncidentKey) => `${tenant_id}\n${mode}\n${system}\n${section}`
const before = (at: string, ms: number) => new Date(Date.parse(at) - ms).toISOString()
const generateIncidentId = () => `inc_${randomBase62(16)}`

const createIncident = ({ tenant_id, mode, system, section, first_at }: IncidentUpdate): IncidentRow => ({
  incident_id: generateIncidentId(),
  tenant_id,
  mode,
  system,
  section,
  began_at: first_at,
  last_at: first_at,
  well_at: null,
  responding_since: null,
  ended_at: null,
  answers: 0,
  codes: '{}',
  causes: '{}',
  samples: '[]',
  impact: null,
})

const mergeUpdate = (row: IncidentRow, update: IncidentUpdate): IncidentRow => ({
  ...row,
  began_at: update.first_at < row.began_at ? update.first_at : row.began_at,
  last_at: update.last_at > row.last_at ? update.last_at : row.last_at,
  answers: row.answers + update.answers,
  codes: JSON.stringify(addCounts(JSON.parse(row.codes) as Record<string, number>, update.codes)),
  causes: JSON.stringify(mergeFailureCounts(JSON.parse(row.causes ?? '{}') as FailureCounts, update.causes)),
  samples: JSON.stringify(limitIncidentSamples([...(JSON.parse(row.samples) as IncidentSample[]), ...update.samples])),
  impact: mergeStoredImpact(row.impact, update.impact),
})

function mergeStoredImpact(stored: string | null, more: IncidentImpact | undefined): string | null {
  if (!more) return stored
  const before = parseImpact(stored)
  return stringifyImpact(before ? mergeImpacts(before, more) : more)
}

function addCounts(stored: Record<string, number>, more: Readonly<Record<string, number>>): Record<string, number> {
  const sums = { ...stored }
  for (const [code, count] of Object.entries(more)) sums[code] = (sums[code] ?? 0) + count
  return sums
}

const FIRST_SAMPLES = 3
const LAST_SAMPLES = 5

/** Returns the first and the last few samples, in order of time. */
export function limitIncidentSamples(samples: readonly IncidentSample[]): IncidentSample[] {
  const sorted = samples.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  if (sorted.length <= FIRST_SAMPLES + LAST_SAMPLES) return sorted
  return [...sorted.slice(0, FIRST_SAMPLES), ...sorted.slice(-LAST_SAMPLES)]
}

const SECTION_COLUMNS = ['tenant_id', 'mode', 'system', 'section'] as const satisfies (keyof IncidentKey)[]

/** Matches rows by section. Each row gets a new id here, because SQLite accepts one conflict target only, and the old id would conflict too. */
async function upsertIncidents(transaction: Transaction<Tables>, rows: readonly IncidentRow[]): Promise<void> {
  await transaction
    .insertInto('incidents')
    .values(rows.map((row) => ({ ...row, incident_id: generateIncidentId() })))
    .onConflict((conflict) =>
      conflict
        .columns(SECTION_COLUMNS)
        .where('ended_at', 'is', null)
        .doUpdateSet((eb) => ({
          began_at: eb.ref('excluded.began_at'),
          last_at: eb.ref('excluded.last_at'),
          answers: eb.ref('excluded.answers'),
          codes: eb.ref('excluded.codes'),
          causes: eb.ref('excluded.causes'),
          samples: eb.ref('excluded.samples'),
          impact: eb.ref('excluded.impact'),
        })),
    )
    .execute()
}
