import type { Database } from './database.ts'

/** The names of the leases of change feeds begin with it. */
export const FEED_LEASE_PREFIX = 'feed:'

/** The right to do a job that one process does for all. A row that only carries a wake-up has a `woken_at` and no holder. */
export interface Lease {
  name: string
  holder: string
  until: string
  woken_at: string | null
  /** The reason why it is held, as JSON, for the processes that follow it. */
  cause?: string | null
}

/** Returns the leases whose names start with one of `prefixes`. */
export async function listLeases(db: Database, prefixes: readonly string[]): Promise<Lease[]> {
  return db
    .selectFrom('leases')
    .selectAll()
    .where((eb) => eb.or(prefixes.map((prefix) => eb('name', 'like', `${prefix}%`))))
    .execute()
}

/** Takes a free lease, or renews one that `holder` has. `false`: another process holds it. */
export async function takeLease(
  db: Database,
  name: string,
  holder: string,
  at: { now: string; until: string; cause?: string },
): Promise<boolean> {
  const { until, cause = null } = at

  const taken = await db
    .insertInto('leases')
    .values({ name, holder, until, cause, woken_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until, cause })
        .where((eb) => eb.or([eb('leases.until', '<=', at.now), eb('leases.holder', '=', holder)])),
    )
    .returning('holder')
    .execute()
  return taken.length === 1
}

/** Renews the leases that `holder` still has. A lost lease stays lost. */
export async function renewLeases(
  db: Database,
  names: readonly string[],
  holder: string,
  at: { now: string; until: string },
): Promise<void> {
  await db
    .updateTable('leases')
    .set({ until: at.until })
    .where('name', 'in', names)
    .where('holder', '=', holder)
    .where('until', '>', at.now)
    .execute()
}

/** Releases leases, so that another process may take them at once. */
export async function releaseLeases(db: Database, names: readonly string[], holder: string, now: string) {
  await db.updateTable('leases').set({ until: now }).where('name', 'in', names).where('holder', '=', holder).execute()
}

/** Deletes the leases whose names start with `prefix`, whoever holds them. */
export async function deleteLeases(db: Database, prefix: string): Promise<void> {
  await db.deleteFrom('leases').where('name', 'like', `${prefix}%`).execute()
}

/** Wakes the holders of these leases, so that they do their work at once. */
export async function wakeLeaseHolders(db: Database, names: readonly string[], at: string): Promise<void> {
  await db
    .insertInto('leases')
    .values(names.map((name) => ({ name, holder: '', until: at, woken_at: at })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ woken_at: at }))
    .execute()
}
