import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Queries that read an import when it ended have finished by then. */
const ENDED_MS = 60_000
/** The process that writes an import touches it every few seconds. */
const LOADING_MS = 10 * 60_000

/** Deletes up to `limit` rows of an import that has ended or whose writer died, and returns how many it deleted. */
export async function pruneFitmentImports(db: Database, now: number, limit: number): Promise<number> {
  await db
    .updateTable('fitment_imports')
    .set({ state: 'ENDED' })
    .where('state', '=', 'LOADING')
    .where('touched_at', '<', iso(now - LOADING_MS))
    .execute()
  const ended = await db
    .selectFrom('fitment_imports')
    .select('import_id')
    .where('state', '=', 'ENDED')
    .where('touched_at', '<', iso(now - ENDED_MS))
    .orderBy('import_id')
    .executeTakeFirst()
  if (!ended) return 0
  const { import_id } = ended
  const fitments = await sql`
    delete from fitments where import_id = ${import_id} and (vehicle_id, sku) in
      (select vehicle_id, sku from fitments where import_id = ${import_id} order by vehicle_id, sku limit ${limit})`.execute(
    db,
  )
  const deleted = Number(fitments.numAffectedRows ?? 0)
  if (deleted > 0) return deleted
  const vehicles = await sql`
    delete from fitment_vehicles where import_id = ${import_id} and vehicle_id in
      (select vehicle_id from fitment_vehicles where import_id = ${import_id} limit ${limit})`.execute(db)
  if (Number(vehicles.numAffectedRows ?? 0) > 0) return Number(vehicles.numAffectedRows)
  await db.deleteFrom('fitment_imports').where('import_id', '=', import_id).execute()
  return 1
}

const iso = (ms: number) => new Date(ms).toISOString()
