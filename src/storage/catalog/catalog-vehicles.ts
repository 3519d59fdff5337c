import type { Tenant } from '../../tenant.ts'
import { chunkRows } from '../chunk-rows.ts'
import type { Database } from '../database.ts'
import { tenantColumns } from '../tenant-columns.ts'
import { takeCatalogSequences } from './catalog-sequences.ts'

/** A vehicle for the catalog mirrors. */
export interface CatalogVehicle {
  vehicle_id: number
  /** JSON of a `Vehicle`; `null`: it no longer exists. */
  vehicle: string | null
  sequence: number
}

/** Writes vehicles. Those that have changed get a new sequence number; returns their ids. Ids are unique within `vehicles`. */
export async function putCatalogVehicles(
  transaction: Database,
  tenant: Tenant,
  vehicles: readonly Omit<CatalogVehicle, 'sequence'>[],
  at: string,
): Promise<number[]> {
  if (vehicles.length === 0) return []
  let sequence = await takeCatalogSequences(transaction, tenant, vehicles.length, at)
  const changed: number[] = []
  for (const chunk of chunkRows(vehicles)) {
    const rows = chunk.map((vehicle) => ({ ...tenantColumns(tenant), ...vehicle, sequence: ++sequence }))
    const written = await transaction
      .insertInto('catalog_vehicles')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'mode', 'vehicle_id'])
          .doUpdateSet((eb) => ({ vehicle: eb.ref('excluded.vehicle'), sequence: eb.ref('excluded.sequence') }))
          .whereRef('catalog_vehicles.vehicle', 'is distinct from', 'excluded.vehicle'),
      )
      .returning('vehicle_id')
      .execute()
    changed.push(...written.map(({ vehicle_id }) => vehicle_id))
  }
  return changed
}

/** Returns vehicles that changed after a sequence number, in that order. */
export async function listCatalogVehiclesAfter(
  db: Database,
  { merchant, mode }: Tenant,
  sequence: number,
  limit: number,
): Promise<CatalogVehicle[]> {
  const rows = await db
    .selectFrom('catalog_vehicles')
    .select(['vehicle_id', 'vehicle', 'sequence'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }))
}

/** Returns the ids of existing vehicles after an id, in ascending order. */
export async function listCatalogVehicleIds(
  db: Database,
  { merchant, mode }: Tenant,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('catalog_vehicles')
    .select('vehicle_id')
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('vehicle_id', '>', after)
    .where('vehicle', 'is not', null)
    .orderBy('vehicle_id')
    .limit(limit)
    .execute()
  return rows.map(({ vehicle_id }) => vehicle_id)
}
