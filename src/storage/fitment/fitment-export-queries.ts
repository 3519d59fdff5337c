import { sql } from 'kysely'
import type { Database } from '../database.ts'

export interface FitmentExportRow {
  vehicle_id: number
  sku: string
  /** JSON. */
  fitment: string
  /** This and the following columns are `null` for a universal part. */
  year: number | null
  market: string | null
  make: string | null
  model: string | null
  submodel: string | null
  engine: string | null
}

/** Returns the rows of an import after `after`: universal parts first, then vehicle by vehicle. */
export async function listFitmentExportRowsAfter(
  db: Database,
  importId: number,
  after: { vehicle_id: number; sku: string },
  limit: number,
): Promise<FitmentExportRow[]> {
  return db
    .selectFrom('fitments')
    .leftJoin('fitment_vehicles', (join) =>
      join
        .onRef('fitment_vehicles.import_id', '=', 'fitments.import_id')
        .onRef('fitment_vehicles.vehicle_id', '=', 'fitments.vehicle_id'),
    )
    .select(['fitments.vehicle_id', 'sku', 'fitment', 'year', 'market', 'make', 'model', 'submodel', 'engine'])
    .where('fitments.import_id', '=', importId)
    .where(sql<boolean>`(fitments.vehicle_id, fitments.sku) > (${after.vehicle_id}, ${after.sku})`)
    .orderBy('fitments.vehicle_id')
    .orderBy('fitments.sku')
    .limit(limit)
    .execute()
}
