import type { Database } from '../database.ts'
import { pruneRequestRecords } from './prune-request-records.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
const MINUTES_KEPT_MS = 2 * DAY_MS

/** Beyond so many the oldest go before their time. */
export const maxDiagnosticsRows = { incidents: 50_000, breaker_changes: 100_000, process_states: 1_000 } as const

/** Each deletes up to `most` rows of its table that are past their time, or too many, and tells how many. */
export const diagnosticsPruneSteps: readonly ((db: Database, now: number, most: number) => Promise<number>)[] = [
  (db, now, most) => pruneTimeline(db, 'minute', iso(now - MINUTES_KEPT_MS), most),
  (db, now, most) => pruneTimeline(db, 'hour', iso(now - KEPT_MS), most),
  (db, now, most) => pruneRequestRecords(db, iso(now - KEPT_MS), most),
  (db, now, most) => pruneKeyDays(db, iso(now - KEPT_MS).slice(0, 10), most),
  (db, now, most) => pruneOldest(db, ['incidents', 'incident_id', 'last_at'], iso(now - KEPT_MS), most),
  (db, now, most) => pruneOldest(db, ['breaker_changes', 'change_id', 'at'], iso(now - KEPT_MS), most),
  (db, now, most) => pruneOldest(db, ['process_states', 'process', 'at'], iso(now - KEPT_MS), most),
]

async function pruneTimeline(db: Database, step: 'minute' | 'hour', before: string, most: number): Promise<number> {
  const key = ['tenant_id', 'mode', 'at', 'system', 'section'] as const
  const past = db
    .selectFrom('timeline')
    .select(key)
    .where('step', '=', step)
    .where('at', '<', before)
    .orderBy('at')
    .limit(most)
  const { numDeletedRows } = await db
    .deleteFrom('timeline')
    .where('step', '=', step)
    .where((of) => of(of.refTuple(...key), 'in', past.$asTuple(...key)))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function pruneKeyDays(db: Database, before: string, most: number): Promise<number> {
  const past = db.selectFrom('key_days').select(['key_id', 'day']).where('day', '<', before).limit(most)
  const { numDeletedRows } = await db
    .deleteFrom('key_days')
    .where((of) => of(of.refTuple('key_id', 'day'), 'in', past.$asTuple('key_id', 'day')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type Aged = readonly ['incidents' | 'breaker_changes' | 'process_states', key: string, at: string]

/** The tables differ in their columns: what holds for one is said for all. */
async function pruneOldest(db: Database, [table, key, at]: Aged, before: string, most: number): Promise<number> {
  const of = table as 'breaker_changes'
  const [id, time] = [key as 'change_id', at as 'at']
  const newest = db.selectFrom(of).select([time, id]).orderBy(time, 'desc').orderBy(id, 'desc')
  const first = await newest.offset(maxDiagnosticsRows[table]).limit(1).executeTakeFirst()
  const all = db.selectFrom(of).select(id)
  const past =
    first && first[time] >= before
      ? all.where((row) => row(row.refTuple(time, id), '<=', row.tuple(first[time], first[id])))
      : all.where(time, '<', before)
  const { numDeletedRows } = await db
    .deleteFrom(of)
    .where(id, 'in', past.orderBy(time).limit(most))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const iso = (ms: number) => new Date(ms).toISOString()
