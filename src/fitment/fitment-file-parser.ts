import type { FileFormat } from '../imports/file-format.ts'
import { createFileParser, type FileLimits } from '../imports/file-parser.ts'
import { ImportFieldError } from '../imports/import-errors.ts'
import type { ImportParser } from '../imports/import-file.ts'
import type { FileSummary, ImportReport, InvalidLine } from '../imports/import-report.ts'
import { MAX_PARTS_PER_VEHICLE } from '../ports/fitment.ts'
import type { Fitment } from '../ports/sku-fitments.ts'
import type { FitmentImportCounts } from '../storage/fitment/fitment-imports.ts'
import { UNIVERSAL_VEHICLE_ID } from '../storage/fitment/imported-fitment-queries.ts'
import { combineAlternativeFitments } from './combine-alternative-fitments.ts'
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
  /** Combines several fitments of one part for one vehicle. Without it, the second one is a mistake. */
  combines?: boolean | undefined
  onBadLine(bad: InvalidLine): void
  limits?: FileLimits | undefined
}

const EVERY_VEHICLE = { vehicle_id: UNIVERSAL_VEHICLE_ID, index: 0, name: 'every vehicle' }

export function createFitmentFileParser(parts: FitmentFileParserParts): FitmentFileParser {
  const { format, knownVehicles, combines, onBadLine, limits } = parts
  const registry = createVehicleRegistry(knownVehicles)
  const duplicates = createDuplicateDetector()
  const partCounts = new Map<number, number>()

  /** Returns the new rows of a line. A line that contradicts another one in one year is bad in all years. */
  function toRows({ sku, vehicles, vehicleId, fitment }: FitmentLine, line: number): ParsedFitmentRow[] {
    const registered = vehicles?.map((vehicle) => registry.register(vehicle, vehicleId, line)) ?? [EVERY_VEHICLE]
    const changes = registered.flatMap(({ vehicle_id, index, name }) => {
      const known = duplicates.find(sku, index)
      const alternatives = known ? addAlternative(JSON.parse(known.fitment) as Fitment[], fitment) : [fitment]
      if (alternatives === null) return []
      if (known && !combines) throw toContradiction(`${sku} already fits ${name} on line ${known.line}`, alternatives)
      return [{ vehicle_id, index, isNew: !known, alternatives }]
    })
    for (const { vehicle_id, index, isNew, alternatives } of changes) {
      duplicates.record(sku, index, JSON.stringify(alternatives), line)
      if (isNew) partCounts.set(vehicle_id, (partCounts.get(vehicle_id) ?? 0) + 1)
    }
    return changes.map(({ vehicle_id, alternatives }) => {
      return { vehicle_id, sku, fitment: JSON.stringify(combineAlternativeFitments(alternatives)) }
    })
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

/** Adds a fitment to those of the same part and vehicle; `null`: it is there already. */
function addAlternative(known: readonly Fitment[], fitment: Fitment): Fitment[] | null {
  const text = JSON.stringify(fitment)
  return known.some((one) => JSON.stringify(one) === text) ? null : [...known, fitment]
}

function toContradiction(place: string, [first, second]: readonly Fitment[]): ImportFieldError {
  const differing = (Object.keys(first!) as (keyof Fitment)[]).filter(
    (member) => JSON.stringify(first![member]) !== JSON.stringify(second![member]),
  )
  return new ImportFieldError(`${place}, with different ${differing.join(', ')}`)
}
