import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** What all processes together have counted of a key in the minute that ends then. */
export interface RateLimitCounter {
  key_id: string
  ends_at: string
  count: number
}

/** Adds what one process has counted, and gives the sums. A minute that is over makes way for one that ends at `endsAt`. */
export async function incrementRateLimitCounters(
  db: Database,
  counted: ReadonlyMap<string, number>,
  { now, endsAt }: { now: string; endsAt: string },
): Promise<RateLimitCounter[]> {
  if (counted.size === 0) return []
  // In one order, so that two processes do not wait for each other's rows.
  const rows = [...counted].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return db
    .insertInto('key_use')
    .values(rows.map(([key_id, count]) => ({ key_id, count, ends_at: endsAt })))
    .onConflict((conflict) =>
      conflict.column('key_id').doUpdateSet({
        count: sql<number>`excluded.count + case when key_use.ends_at > ${now} then key_use.count else 0 end`,
        ends_at: sql<string>`case when key_use.ends_at > ${now} then key_use.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(['key_id', 'ends_at', 'count'])
    .execute()
}
