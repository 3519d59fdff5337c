import type { Database } from './database.ts'
import type { CoordinationTables } from './tables/coordination-tables.ts'

export type ProxySighting = CoordinationTables['proxy_sightings']

/** Stores the latest proxy whose header arrived although no trusted proxy was configured. */
export async function recordProxySighting(db: Database, sighting: ProxySighting): Promise<void> {
  const { address, seen_at } = sighting
  await db
    .insertInto('proxy_sightings')
    .values(sighting)
    .onConflict((conflict) => conflict.column('header').doUpdateSet({ address, seen_at }))
    .execute()
}

/** Returns the latest sighting since an instant. */
export async function findProxySighting(db: Database, since: string): Promise<ProxySighting | null> {
  const latest = db.selectFrom('proxy_sightings').selectAll().where('seen_at', '>=', since).orderBy('seen_at', 'desc')
  return (await latest.executeTakeFirst()) ?? null
}
