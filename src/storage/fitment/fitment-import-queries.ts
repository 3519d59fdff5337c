import type { Insertable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type NewFitmentRow = Insertable<Tables['fitments']>
export type NewVehicleRow = Insertable<Tables['fitment_vehicles']>

/** Writes the fitments of an import. A later row of the same SKU and vehicle replaces the former one. */
export async function insertFitmentRows(db: Database, rows: readonly NewFitmentRow[]): Promise<void> {
  // PostgreSQL refuses a statement that writes a row twice.
  const latest = new Map(rows.map((row) => [`${row.vehicle_id} ${row.sku}`, row]))
  await db
    .insertInto('fitments')
    .values([...latest.values()])
    .onConflict((conflict) =>
      conflict
        .columns(['import_id', 'vehicle_id', 'sku'])
        .doUpdateSet((eb) => ({ fitment: eb.ref('excluded.fitment') })),
    )
    .execute()
}

export async function insertVehicleRows(db: Database, rows: readonly NewVehicleRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('fitment_vehicles').values(rows).execute()
}

/** Returns every vehicle id that was ever assigned, with the key of its vehicle. */
export async function listVehicleIds(db: Database, { merchant, mode }: Tenant): Promise<[number, string][]> {
  const rows = await db
    .selectFrom('fitment_vehicle_ids')
    .select(['vehicle_id', 'vehicle_key'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .execute()
  return rows.map(({ vehicle_id, vehicle_key }) => [vehicle_id, vehicle_key])
}

/** Assigns ids to vehicles. A known id is reassigned. */
export async function upsertVehicleIds(
  db: Database,
  { merchant, mode }: Tenant,
  ids: readonly (readonly [number, string])[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('fitment_vehicle_ids')
    .values(ids.map(([vehicle_id, vehicle_key]) => ({ tenant_id: merchant, mode, vehicle_id, vehicle_key })))
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'mode', 'vehicle_id'])
        .doUpdateSet((eb) => ({ vehicle_key: eb.ref('excluded.vehicle_key') })),
    )
    .execute()
}
