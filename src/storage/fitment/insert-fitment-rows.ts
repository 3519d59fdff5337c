import type { Insertable } from 'kysely'
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
