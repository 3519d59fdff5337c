import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

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
