import type { Database } from './database.ts'

/** A lease as it stands; `woken_at` alone matters in rows that only carry a hint. */
export interface Lease {
  name: string
  holder: string
  until: string
  woken_at: string | null
}

/** All leases whose names begin so. */
export async function listLeases(db: Database, prefixes: readonly string[]): Promise<Lease[]> {
  return db
    .selectFrom('leases')
    .selectAll()
    .where((of) => of.or(prefixes.map((prefix) => of('name', 'like', `${prefix}%`))))
    .execute()
}

/** Takes a lease that nobody holds, or holds on to one's own. `false`: it is another's. */
export async function takeLease(
  db: Database,
  name: string,
  holder: string,
  at: { now: string; until: string },
): Promise<boolean> {
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, until: at.until, woken_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until: at.until })
        .where((of) => of.or([of('leases.until', '<=', at.now), of('leases.holder', '=', holder)])),
    )
    .returning('holder')
    .execute()
  return taken.length === 1
}

/** Holds on to what is held; one that was lost meanwhile stays lost. */
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

/** Lets go of what is held, so that another may take it at once. */
export async function releaseLeases(db: Database, names: readonly string[], holder: string, now: string) {
  await db.updateTable('leases').set({ until: now }).where('name', 'in', names).where('holder', '=', holder).execute()
}

/** Asks whoever does the work of these names to look at once. */
export async function wakeLeaseHolders(db: Database, names: readonly string[], at: string): Promise<void> {
  await db
    .insertInto('leases')
    .values(names.map((name) => ({ name, holder: '', until: at, woken_at: at })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ woken_at: at }))
    .execute()
}
