import type { FileFormat } from '../imports/file-format.ts'
import { type ImportFile, type ImportParts, importFile, MAX_ROWS_PER_STATEMENT } from '../imports/import-file.ts'
import type { ImportLease } from '../imports/import-lease.ts'
import type { Database } from '../storage/database.ts'
import { type FitmentImportCounts, fitmentImports } from '../storage/fitment/fitment-imports.ts'
import { insertFitmentRows, insertVehicleRows } from '../storage/fitment/insert-fitment-rows.ts'
import { listVehicleIds, upsertVehicleIds } from '../storage/fitment/vehicle-ids.ts'
import type { Tenant } from '../tenant.ts'
import { createFitmentFileParser, type FitmentImportReport, type ParsedFitmentRow } from './fitment-file-parser.ts'
import type { FitmentLine } from './fitment-line.ts'
import type { RegisteredVehicle } from './vehicle-registry.ts'

export interface FitmentFile extends ImportFile {
  format: FileFormat<FitmentLine>
  /** Combines several fitments of one part for one vehicle. Without it, the second one is a mistake. */
  combines?: boolean
}

export type FitmentImportParts = ImportParts<FitmentImportCounts>

/** Imports a fitment file, completely or not at all. */
export function importFitments(parts: FitmentImportParts, file: FitmentFile): Promise<FitmentImportReport> {
  return importFile({ store: fitmentImports, begin: () => beginFitments(parts, file) }, parts, file)
}

async function beginFitments({ db, limits, onBadLine, signal }: FitmentImportParts, file: FitmentFile) {
  const knownVehicles = await listVehicleIds(db, file)
  const parser = createFitmentFileParser({
    format: file.format,
    combines: file.combines,
    knownVehicles,
    onBadLine,
    limits,
  })
  return {
    parser,
    insertRows: (import_id: number, rows: readonly ParsedFitmentRow[]) =>
      insertFitmentRows(
        db,
        rows.map((row) => ({ import_id, ...row })),
      ),
    finish: (importId: number, lease: ImportLease) =>
      writeVehicles({ db, signal, lease }, file, importId, parser.vehicles()),
  }
}

async function writeVehicles(
  { db, signal, lease }: { db: Database; signal: AbortSignal; lease: ImportLease },
  tenant: Tenant,
  importId: number,
  vehicles: readonly RegisteredVehicle[],
): Promise<void> {
  for (let from = 0; from < vehicles.length; from += MAX_ROWS_PER_STATEMENT) {
    const batch = vehicles.slice(from, from + MAX_ROWS_PER_STATEMENT)
    await upsertVehicleIds(
      db,
      tenant,
      batch.map(({ vehicle_id, key }) => [vehicle_id, key]),
    )
    await insertVehicleRows(
      db,
      batch.map(({ vehicle_id, key, market, year, make, model, submodel, engine }) => ({
        import_id: importId,
        vehicle_id,
        vehicle_key: key,
        year,
        model,
        submodel,
        engine,
        market,
        market_key: market.toLowerCase(),
        make,
        make_key: make.toLowerCase(),
      })),
    )
    await lease.renew()
    signal.throwIfAborted()
  }
}
