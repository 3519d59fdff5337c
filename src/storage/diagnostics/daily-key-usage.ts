import { type Selectable, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type DailyKeyUsage = Selectable<Tables['key_days']>

/** Adds to the stored usage of keys, all rows or none, and keeps the latest refusal. Each day of a key may occur once. */
export async function addDailyKeyUsage(db: Database, rows: readonly DailyKeyUsage[]): Promise<void> {
  const sum = (column: string) => sql<number>`key_days.${sql.ref(column)} + excluded.${sql.ref(column)}`
  const isLater = sql`coalesce(excluded.last_refused_at, '') >= coalesce(key_days.last_refused_at, '')`
  const latest = (column: string) =>
    sql<string>`case when ${isLater} then excluded.${sql.ref(column)} else key_days.${sql.ref(column)} end`
  await db
    .insertInto('key_days')
    // In a fixed order, so that two processes do not deadlock.
    .values(rows.toSorted((a, b) => (a.key_id + a.day < b.key_id + b.day ? -1 : 1)))
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day']).doUpdateSet({
        requests: sum('requests'),
        refused: sum('refused'),
        limited: sum('limited'),
        last_refusal_code: latest('last_refusal_code'),
        last_refused_at: latest('last_refused_at'),
      }),
    )
    .execute()
}

/** Returns the usage from a day on, the latest day first. */
export async function listDailyKeyUsage(db: Database, from: string): Promise<DailyKeyUsage[]> {
  return db.selectFrom('key_days').selectAll().where('day', '>=', from).orderBy('day', 'desc').execute()
}

/** Returns the usage of one key, the latest day first. */
export const listDaysOfKey = (db: Database, keyId: string, limit: number): Promise<DailyKeyUsage[]> =>
  db.selectFrom('key_days').selectAll().where('key_id', '=', keyId).orderBy('day', 'desc').limit(limit).execute()
