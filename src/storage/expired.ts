import type { Database } from './database.ts'

/** What is worth nothing once it has expired; every row has a digest and the instant of its end. */
export const passing = ['shopper_sessions', 'refresh_tokens', 'mailbox_tokens', 'idempotency_keys'] as const

/** Deletes some rows of a table that ended before that instant, and tells how many. */
export async function deleteExpired(
  db: Database,
  table: (typeof passing)[number],
  at: Date,
  most: number,
): Promise<number> {
  const ended = db.selectFrom(table).select('digest').where('expires_at', '<', at.toISOString()).limit(most)
  const { numDeletedRows } = await db.deleteFrom(table).where('digest', 'in', ended).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
