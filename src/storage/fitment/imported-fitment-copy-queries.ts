import { type Selectable, sql } from 'kysely'
import type { Vehicle } from '../../ports/vehicle.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

type FittedRow = Pick<Selectable<Tables['fitments']>, 'sku' | 'vehicle_id' | 'fitment'>

/** A fitment of an import. The names are `null` for a universal part. */
export interface FitmentCopyRow extends FittedRow {
  year: number | null
  make: string | null
  make_key: string | null
  model: string | null
}

/** Returns fitments after a SKU and vehicle, product by product. */
export async function listFitmentsAfter(
  db: Database,
  importId: number,
  after: { sku: string; vehicle_id: number },
  limit: number,
): Promise<FitmentCopyRow[]> {
  return db
    .selectFrom('fitments')
    .leftJoin('fitment_vehicles', (join) =>
      join
        .onRef('fitment_vehicles.import_id', '=', 'fitments.import_id')
        .onRef('fitment_vehicles.vehicle_id', '=', 'fitments.vehicle_id'),
    )
    .select(['sku', 'fitments.vehicle_id', 'fitment', 'year', 'make', 'make_key', 'model'])
    .where('fitments.import_id', '=', importId)
    .where('sku', '>=', after.sku)
    .where(sql<boolean>`(sku > ${after.sku} or fitments.vehicle_id > ${after.vehicle_id})`)
    .orderBy('sku')
    .orderBy('fitments.vehicle_id')
    .limit(limit)
    .execute()
}

/** Returns those of these SKUs that have fitments. */
export async function listSkusWithFitments(db: Database, importId: number, skus: readonly string[]): Promise<string[]> {
  if (skus.length === 0) return []
  const rows = await db
    .selectFrom('fitments')
    .select('sku')
    .distinct()
    .where('import_id', '=', importId)
    .where('sku', 'in', skus)
    .execute()
  return rows.map(({ sku }) => sku)
}

/** Returns the vehicles of an import after an id, in that order. */
export async function listImportVehiclesAfter(
  db: Database,
  importId: number,
  after: number,
  limit: number,
): Promise<Vehicle[]> {
  return db
    .selectFrom('fitment_vehicles')
    .select(['vehicle_id', 'year', 'make', 'model', 'submodel', 'engine', 'market'])
    .where('import_id', '=', importId)
    .where('vehicle_id', '>', after)
    .orderBy('vehicle_id')
    .limit(limit)
    .execute()
}

/** Returns those of these vehicles that an import has. */
export async function listKnownVehicles(db: Database, importId: number, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('fitment_vehicles')
    .select('vehicle_id')
    .where('import_id', '=', importId)
    .where('vehicle_id', 'in', ids)
    .execute()
  return rows.map(({ vehicle_id }) => vehicle_id)
}
