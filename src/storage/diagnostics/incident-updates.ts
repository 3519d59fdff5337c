import type { Transaction } from 'kysely'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import { acquireAdvisoryLock } from '../row-locks.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'
import { mergeIncidentCodes, mergeIncidentSamples } from './incident-merge.ts'
import { INCIDENT_IDLE_MS, INCIDENT_QUIET_MS, type IncidentKey, type IncidentRow } from './open-incidents.ts'

export interface IncidentSample {
  request_id: string
  at: string
  code: string
  route: string
}

/** Degraded answers of a section that the store does not know of yet. */
export interface IncidentUpdate extends IncidentKey {
  first_at: string
  last_at: string
  answers: number
  codes: Record<string, number>
  /** In order of time. */
  samples: IncidentSample[]
}

const nameOf = ({ tenant_id, mode, system, section }: IncidentKey) => `${tenant_id}\n${mode}\n${system}\n${section}`

/** Adds to the open incidents of these sections, and opens those that are missing; each section may come once. All or nothing. */
export async function applyIncidentUpdates(db: Database, news: readonly IncidentUpdate[]): Promise<void> {
  if (news.length === 0) return
  await transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incidents')
    const known = await knownOf(transaction, news)
    const sums = news.map((one) => added(known.get(nameOf(one)) ?? begun(one), one))
    for (const some of chunkRows(sums)) await write(transaction, some)
  })
}

/** The open incidents of these sections. An answer that was told of late belongs to the one that it would have kept open: that one goes on. */
async function knownOf(transaction: Transaction<Tables>, news: readonly IncidentUpdate[]) {
  const known = new Map<string, IncidentRow>()
  const rows = transaction.selectFrom('incidents').selectAll()
  for (const row of await rows.where('ended_at', 'is', null).execute()) known.set(nameOf(row), row)
  const missing = new Map(news.filter((one) => !known.has(nameOf(one))).map((one) => [nameOf(one), one]))
  if (missing.size === 0) return known
  const since = [...missing.values()].map(({ first_at }) => before(first_at, INCIDENT_IDLE_MS)).toSorted()[0]!
  // The latest of a section comes last.
  const recent = await rows.where('last_at', '>=', since).where('ended_at', 'is not', null).orderBy('last_at').execute()
  const ended = new Map(recent.map((row) => [nameOf(row), row]))
  const again = [...ended.values()].filter((row) => {
    const one = missing.get(nameOf(row))
    return one && row.last_at > before(one.first_at, patienceWith(row))
  })
  for (const row of again) known.set(nameOf(row), { ...row, ended_at: null })
  for (const some of chunkRows(again.map(({ incident_id }) => incident_id)))
    await transaction.updateTable('incidents').set({ ended_at: null }).where('incident_id', 'in', some).execute()
  return known
}

/** How long after its last degraded answer it was over. */
const patienceWith = ({ well_at, last_at }: IncidentRow) =>
  well_at !== null && well_at > last_at ? INCIDENT_QUIET_MS : INCIDENT_IDLE_MS
const SECTION = ['tenant_id', 'mode', 'system', 'section'] as const satisfies (keyof IncidentKey)[]
const before = (at: string, ms: number) => new Date(Date.parse(at) - ms).toISOString()

const begun = ({ tenant_id, mode, system, section, first_at }: IncidentUpdate): IncidentRow => ({
  ...{ incident_id: `inc_${randomBase62(16)}`, tenant_id, mode, system, section },
  ...{ began_at: first_at, last_at: first_at, well_at: null, ended_at: null, answers: 0, codes: '{}', samples: '[]' },
})

const added = (row: IncidentRow, one: IncidentUpdate): IncidentRow => ({
  ...row,
  began_at: one.first_at < row.began_at ? one.first_at : row.began_at,
  last_at: one.last_at > row.last_at ? one.last_at : row.last_at,
  answers: row.answers + one.answers,
  codes: mergeIncidentCodes(row.codes, one.codes),
  samples: mergeIncidentSamples(row.samples, one.samples),
})

/** By section rather than by id, which is a new one here: SQLite would stumble over the other of the two that are unique. */
async function write(transaction: Transaction<Tables>, rows: readonly IncidentRow[]): Promise<void> {
  await transaction
    .insertInto('incidents')
    .values(rows.map((row) => ({ ...row, incident_id: `inc_${randomBase62(16)}` })))
    .onConflict((conflict) =>
      conflict
        .columns(SECTION)
        .where('ended_at', 'is', null)
        .doUpdateSet((of) => ({
          began_at: of.ref('excluded.began_at'),
          last_at: of.ref('excluded.last_at'),
          answers: of.ref('excluded.answers'),
          codes: of.ref('excluded.codes'),
          samples: of.ref('excluded.samples'),
        })),
    )
    .execute()
}
