import type { Insertable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import type { FitmentOwner } from './fitment-imports.ts'

export type NewFitmentRow = Insertable<Tables['fitments']>
export type NewVehicleRow = Insertable<Tables['fitment_vehicles']>

/** What one statement takes: so few that nobody waits for it, and few enough for the parameters of a statement. */
export const MAX_ROWS_PER_STATEMENT = 500

export async function insertFitmentRows(db: Database, rows: readonly NewFitmentRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('fitments').values(rows).execute()
}

export async function insertVehicleRows(db: Database, rows: readonly NewVehicleRow[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('fitment_vehicles').values(rows).execute()
}

/** Every id that a vehicle was given, with the key of the vehicle. */
export async function listVehicleIds(db: Database, { tenant_id, mode }: FitmentOwner): Promise<[number, string][]> {
  const rows = await db
    .selectFrom('fitment_vehicle_ids')
    .select(['vehicle_id', 'vehicle_key'])
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .execute()
  return rows.map(({ vehicle_id, vehicle_key }) => [vehicle_id, vehicle_key])
}

/** An id that is known becomes that vehicle's. */
export async function upsertVehicleIds(
  db: Database,
  { tenant_id, mode }: FitmentOwner,
  ids: readonly (readonly [number, string])[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .insertInto('fitment_vehicle_ids')
    .values(ids.map(([vehicle_id, vehicle_key]) => ({ tenant_id, mode, vehicle_id, vehicle_key })))
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'mode', 'vehicle_id'])
        .doUpdateSet((of) => ({ vehicle_key: of.ref('excluded.vehicle_key') })),
    )
    .execute()
}
