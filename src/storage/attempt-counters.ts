import { sql } from 'kysely'
import type { Database } from './database.ts'

export interface AttemptWindow {
  /** Milliseconds since the epoch. */
  now: number
  durationMs: number
}

/** Counts an attempt of a subject, for all processes on the store. A window starts with its first attempt. */
export async function countAttempt(
  db: Database,
  digest: string,
  { now, durationMs }: AttemptWindow,
): Promise<{ count: number; endsAt: number }> {
  const [at, endsAt, latest] = [now, now + durationMs, now + 2 * durationMs].map((ms) => new Date(ms).toISOString())
  // A window that ends too late is from before the clock was set back; one duration is left for clocks that differ.
  const isCurrent = sql<boolean>`(attempt_counters.ends_at > ${at} and attempt_counters.ends_at <= ${latest})`
  const row = await db
    .insertInto('attempt_counters')
    .values({ digest, count: 1, ends_at: endsAt! })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({
        count: sql<number>`case when ${isCurrent} then attempt_counters.count + 1 else 1 end`,
        ends_at: sql<string>`case when ${isCurrent} then attempt_counters.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { count: row.count, endsAt: Date.parse(row.ends_at) }
}

/** Takes one attempt back. */
export async function uncountAttempt(db: Database, digest: string): Promise<void> {
  await db
    .updateTable('attempt_counters')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('digest', '=', digest)
    .where('count', '>', 0)
    .execute()
}

export async function deleteAttempts(db: Database, digest: string): Promise<void> {
  await db.deleteFrom('attempt_counters').where('digest', '=', digest).execute()
}
