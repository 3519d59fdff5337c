import { sql } from 'kysely'
import type { Database } from './database.ts'
import { deleteLeases, FEED_LEASE_PREFIX } from './leases.ts'

/**
 * Releases what a dead process held: idempotency keys, orders that no shopper knows of yet, places for calls, change feeds, and events that wait
 * for its mirrors. Call it when a server starts on a SQLite store, whose lock excludes other servers, and before its workers start. On
 * PostgreSQL the claims of a dead process expire within seconds. The leases of imports stay: commands hold them, too.
 */
export async function releaseDeadHolders(db: Database, now: string): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ locked_until: now })
    // A literal, because SQLite does not use a partial index for a parameter.
    .where('state', '!=', sql.lit('done'))
    .where('locked_until', '>', now)
    .execute()
  await db
    .updateTable('orders')
    .set({ leased_until: now })
    .where('status', '=', sql.lit('PENDING'))
    .where('told', '=', 0)
    .where('leased_until', '>', now)
    .execute()
  await db.deleteFrom('call_places').execute()
  await deleteLeases(db, FEED_LEASE_PREFIX)
  await db.deleteFrom('mirror_followers').execute()
}

/** Releases the leases of change feeds that ended processes held, and the events that wait for their mirrors. */
export async function releaseEndedProcesses(db: Database, ids: readonly string[], now: string): Promise<void> {
  await db
    .updateTable('leases')
    .set({ until: now })
    .where('name', 'like', `${FEED_LEASE_PREFIX}%`)
    .where('holder', 'in', ids)
    .where('until', '>', now)
    .execute()
  await db.deleteFrom('mirror_followers').where('follower', 'in', ids).execute()
}
