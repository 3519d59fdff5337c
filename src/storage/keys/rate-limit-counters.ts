import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The requests of a key in the minute that ends at `ends_at`, counted by all processes. */
export interface RateLimitCounter {
  key_id: string
  ends_at: string
  count: number
}

/** Adds the counts of one process and returns the sums. A minute that is over is replaced by one that ends at `endsAt`. */
export async function incrementRateLimitCounters(
  db: Database,
  counts: ReadonlyMap<string, number>,
  { now, endsAt }: { now: string; endsAt: string },
): Promise<RateLimitCounter[]> {
  if (counts.size === 0) return []
  // In a fixed order, so that two processes do not deadlock.
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
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
