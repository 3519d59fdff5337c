import type { FileFormat } from '../imports/file-format.ts'
import { createFileParser, type FileLimits } from '../imports/file-parser.ts'
import type { ImportParser } from '../imports/import-file.ts'
import type { FileSummary, ImportReport, InvalidLine } from '../imports/import-report.ts'
import { MAX_PARTS_PER_VEHICLE } from '../ports/fitment.ts'
import type { FitmentImportCounts } from '../storage/fitment/fitment-imports.ts'
import { UNIVERSAL_VEHICLE_ID } from '../storage/fitment/fitment-queries.ts'
import { createDuplicateDetector } from './duplicate-detector.ts'
import type { FitmentLine } from './fitment-line.ts'
import { createVehicleRegistry, type RegisteredVehicle } from './vehicle-registry.ts'

export interface ParsedFitmentRow {
  vehicle_id: number
  sku: string
  /** JSON. */
  fitment: string
}

export interface FitmentSummary extends FileSummary {
  counts: FitmentImportCounts
  /** Vehicles with more parts than MAX_PARTS_PER_VEHICLE. */
  oversizedVehicles: { vehicle: string; parts: number }[]
}

export type FitmentImportReport = ImportReport<FitmentSummary>

/** Parses one fitment file. Year ranges become a row for each year. */
export interface FitmentFileParser extends ImportParser<ParsedFitmentRow, FitmentSummary> {
  vehicles(): RegisteredVehicle[]
}

export interface FitmentFileParserParts {
  format: FileFormat<FitmentLine>
  /** The ids of earlier imports, with the keys of their vehicles. */
  knownVehicles: Iterable<readonly [number, string]>
  onBadLine(bad: InvalidLine): void
  limits?: FileLimits | undefined
}

const EVERY_VEHICLE = { vehicle_id: UNIVERSAL_VEHICLE_ID, index: 0, name: 'every vehicle' }

export function createFitmentFileParser(parts: FitmentFileParserParts): FitmentFileParser {
  const { format, knownVehicles, onBadLine, limits } = parts
  const registry = createVehicleRegistry(knownVehicles)
  const duplicates = createDuplicateDetector()
  const partCounts = new Map<number, number>()

  /** Returns the new rows of a line. A line that contradicts another one in one year is bad in all years. */
  function toRows({ sku, vehicles, vehicleId, fitment }: FitmentLine, line: number): ParsedFitmentRow[] {
    const text = JSON.stringify(fitment)
    const registered = vehicles?.map((vehicle) => registry.register(vehicle, vehicleId, line)) ?? [EVERY_VEHICLE]
    const newVehicles = registered.filter(({ index, name }) => duplicates.isNew(sku, index, text, () => name))
    for (const { vehicle_id, index } of newVehicles) {
      duplicates.record(sku, index, text, line)
      partCounts.set(vehicle_id, (partCounts.get(vehicle_id) ?? 0) + 1)
    }
    return newVehicles.map(({ vehicle_id }) => ({ vehicle_id, sku, fitment: text }))
  }

  /** Vehicles with at least one part; a bad line may have registered others. */
  const vehicles = () => [...registry.vehicles()].filter(({ vehicle_id }) => partCounts.has(vehicle_id))

  function summary(): FitmentSummary {
    const universal = partCounts.get(UNIVERSAL_VEHICLE_ID) ?? 0
    const known = vehicles()
    const fitments = known.reduce((sum, { vehicle_id }) => sum + partCounts.get(vehicle_id)!, 0)
    const counts = { vehicles: known.length, skus: duplicates.skuCount, fitments, universal }
    const oversizedVehicles = known.flatMap(({ vehicle_id, name }) => {
      const parts = partCounts.get(vehicle_id)! + universal
      return parts > MAX_PARTS_PER_VEHICLE ? [{ vehicle: name, parts }] : []
    })
    return { ...parser.fileSummary(), counts, oversizedVehicles }
  }

  const parser = createFileParser({ format, toRows, onBadLine, limits })
  return Object.assign(parser, { vehicles, summary, skus: duplicates.skus })
}
