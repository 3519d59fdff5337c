import type { Database } from '../database.ts'
import { pruneRequestRecords } from './prune-request-records.ts'

const DAY_MS = 86_400_000
const RETENTION_MS = 30 * DAY_MS
const MINUTES_RETENTION_MS = 2 * DAY_MS

/** The maximum number of rows of each table. Above it, the oldest rows are deleted early. */
export const maxDiagnosticsRows = { incidents: 50_000, breaker_changes: 100_000, process_states: 1_000 } as const

/** Deletes up to `limit` rows and returns how many it deleted. */
type PruneStep = (db: Database, now: number, limit: number) => Promise<number>

export const diagnosticsPruneSteps: readonly PruneStep[] = [
  (db, now, limit) => pruneTimeline(db, 'minute', iso(now - MINUTES_RETENTION_MS), limit),
  (db, now, limit) => pruneTimeline(db, 'hour', iso(now - RETENTION_MS), limit),
  (db, now, limit) => pruneRequestRecords(db, iso(now - RETENTION_MS), limit),
  (db, now, limit) => pruneKeyDays(db, iso(now - RETENTION_MS).slice(0, 10), limit),
  (db, now, limit) => pruneOldest(db, ['incidents', 'incident_id', 'last_at'], iso(now - RETENTION_MS), limit),
  (db, now, limit) => pruneOldest(db, ['breaker_changes', 'change_id', 'at'], iso(now - RETENTION_MS), limit),
  (db, now, limit) => pruneOldest(db, ['process_states', 'process', 'at'], iso(now - RETENTION_MS), limit),
]

async function pruneTimeline(db: Database, step: 'minute' | 'hour', before: string, limit: number): Promise<number> {
  const key = ['tenant_id', 'mode', 'at', 'system', 'section'] as const
  const expired = db
    .selectFrom('timeline')
    .select(key)
    .where('step', '=', step)
    .where('at', '<', before)
    .orderBy('at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('timeline')
    .where('step', '=', step)
    .where((eb) => eb(eb.refTuple(...key), 'in', expired.$asTuple(...key)))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function pruneKeyDays(db: Database, before: string, limit: number): Promise<number> {
  const expired = db.selectFrom('key_days').select(['key_id', 'day']).where('day', '<', before).limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('key_days')
    .where((eb) => eb(eb.refTuple('key_id', 'day'), 'in', expired.$asTuple('key_id', 'day')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type CappedTable = readonly [table: keyof typeof maxDiagnosticsRows, keyColumn: string, timeColumn: string]

/** Deletes rows that are older than `before` or beyond the table's cap. */
async function pruneOldest(
  db: Database,
  [table, keyColumn, timeColumn]: CappedTable,
  before: string,
  limit: number,
): Promise<number> {
  // The tables differ in their columns: one table's type stands for all.
  const anyTable = table as 'breaker_changes'
  const [key, time] = [keyColumn as 'change_id', timeColumn as 'at']
  const newestFirst = db.selectFrom(anyTable).select([time, key]).orderBy(time, 'desc').orderBy(key, 'desc')
  const firstBeyondCap = await newestFirst.offset(maxDiagnosticsRows[table]).limit(1).executeTakeFirst()
  const keys = db.selectFrom(anyTable).select(key)
  const expired =
    firstBeyondCap && firstBeyondCap[time] >= before
      ? keys.where((eb) => eb(eb.refTuple(time, key), '<=', eb.tuple(firstBeyondCap[time], firstBeyondCap[key])))
      : keys.where(time, '<', before)
  const { numDeletedRows } = await db
    .deleteFrom(anyTable)
    .where(key, 'in', expired.orderBy(time).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const iso = (ms: number) => new Date(ms).toISOString()
