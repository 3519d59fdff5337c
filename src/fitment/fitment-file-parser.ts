import { MAX_PARTS_PER_VEHICLE } from '../ports/fitment.ts'
import { UNIVERSAL_VEHICLE_ID } from '../storage/fitment/fitment-queries.ts'
import { type CsvHeader, parseCsvHeader } from './csv-columns.ts'
import { CsvFieldError } from './csv-fields.ts'
import { CsvReadError, readCsvRecords } from './csv-reader.ts'
import { createDuplicateDetector } from './duplicate-detector.ts'
import { parseFitmentLine } from './fitment-line.ts'
import type { ImportReport, InvalidLine } from './import-report.ts'
import { createVehicleRegistry, type RegisteredVehicle } from './vehicle-registry.ts'

export interface ParsedFitmentRow {
  vehicle_id: number
  sku: string
  /** JSON. */
  fitment: string
}

export interface FitmentFileLimits {
  /** Rows after the expansion of year ranges. */
  rows: number
  bytes: number
}

export const defaultFitmentFileLimits: FitmentFileLimits = { rows: 2_000_000, bytes: 2 ** 30 }

/** Parses one fitment file, and keeps its figures. */
export interface FitmentFileParser {
  /** Yields the rows of each line. Bad lines and duplicates have none. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedFitmentRow[]>
  /** True when the file was read to its end. */
  readonly isComplete: boolean
  readonly bytes: number
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  vehicles(): RegisteredVehicle[]
  skus(): IterableIterator<string>
  summary(): Pick<
    ImportReport,
    | 'hasHeader'
    | 'isComplete'
    | 'lines'
    | 'badLines'
    | 'duplicateLines'
    | 'counts'
    | 'unknownColumns'
    | 'oversizedVehicles'
  >
}

export interface FitmentFileParserParts {
  /** The ids of earlier imports, with the keys of their vehicles. */
  knownVehicles: Iterable<readonly [number, string]>
  /** The market of lines without one. */
  market: string
  onBadLine(bad: InvalidLine): void
  limits?: FitmentFileLimits
}

const EVERY_VEHICLE = { vehicle_id: UNIVERSAL_VEHICLE_ID, index: 0, name: 'every vehicle' }

export function createFitmentFileParser({
  knownVehicles,
  market,
  onBadLine,
  limits = defaultFitmentFileLimits,
}: FitmentFileParserParts): FitmentFileParser {
  const registry = createVehicleRegistry(knownVehicles)
  const duplicates = createDuplicateDetector()
  const partCounts = new Map<number, number>()
  let [bytes, lines, badLines, duplicateLines, rows] = [0, 0, 0, 0, 0]
  let unknownColumns: string[] = []
  let hasHeader = false
  let isComplete = false

  function reportBadLine(line: number, error: unknown): void {
    if (!(error instanceof CsvFieldError)) throw error
    badLines += 1
    onBadLine({ line, mistake: error.message })
  }

  async function* countBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limits.bytes) throw new CsvReadError(lines + 1, `the file is larger than ${limits.bytes} bytes`)
      yield chunk
    }
  }

  /** Returns the new rows of a line. A line that contradicts another one in one year is bad in all years. */
  function newRowsOf(cells: readonly string[], header: CsvHeader, line: number): ParsedFitmentRow[] {
    const { sku, vehicles, vehicleId, fitment } = parseFitmentLine(cells, header, market)
    const text = JSON.stringify(fitment)
    const registered = vehicles?.map((vehicle) => registry.register(vehicle, vehicleId, line)) ?? [EVERY_VEHICLE]
    const newVehicles = registered.filter(({ index, name }) => duplicates.isNew(sku, index, text, () => name))
    for (const { vehicle_id, index } of newVehicles) {
      duplicates.record(sku, index, text, line)
      partCounts.set(vehicle_id, (partCounts.get(vehicle_id) ?? 0) + 1)
    }
    rows += newVehicles.length
    return newVehicles.map(({ vehicle_id }) => ({ vehicle_id, sku, fitment: text }))
  }

  function parseLine(cells: readonly string[], header: CsvHeader, line: number): ParsedFitmentRow[] {
    try {
      const newRows = newRowsOf(cells, header, line)
      if (newRows.length === 0) duplicateLines += 1
      return newRows
    } catch (error) {
      reportBadLine(line, error)
      return []
    }
  }

  /** Vehicles with at least one part; a bad line may have registered others. */
  const vehicles = () => [...registry.vehicles()].filter(({ vehicle_id }) => partCounts.has(vehicle_id))

  return {
    async *read(source) {
      let header: CsvHeader | undefined
      let isLineCounted = false
      try {
        for await (const { line, cells } of readCsvRecords(countBytes(source))) {
          if (!header) {
            header = parseCsvHeader(cells)
            unknownColumns = header.unknown
            if (header.mistake) throw new CsvReadError(line, header.mistake)
            hasHeader = true
            continue
          }
          lines += 1
          isLineCounted = true
          yield parseLine(cells, header, line)
          if (rows > limits.rows) throw new CsvReadError(line, `exceeds ${limits.rows} rows`)
          isLineCounted = false
        }
        if (!header) throw new CsvReadError(1, 'the file is empty')
        isComplete = true
      } catch (error) {
        reportBadLine(error instanceof CsvReadError ? error.line : 0, error)
        // Count the line where the reading ended.
        if (!isLineCounted) lines += 1
      }
    },
    get isComplete() {
      return isComplete
    },
    get bytes() {
      return bytes
    },
    get lines() {
      return lines
    },
    get badLines() {
      return badLines
    },
    get rows() {
      return rows
    },
    skus: () => duplicates.skus(),
    vehicles,
    summary() {
      const universal = partCounts.get(UNIVERSAL_VEHICLE_ID) ?? 0
      const counts = { vehicles: vehicles().length, skus: duplicates.skuCount, fitments: rows - universal, universal }
      const oversizedVehicles = vehicles().flatMap(({ vehicle_id, name }) => {
        const parts = partCounts.get(vehicle_id)! + universal
        return parts > MAX_PARTS_PER_VEHICLE ? [{ vehicle: name, parts }] : []
      })
      return {
        hasHeader,
        isComplete,
        lines,
        badLines,
        duplicateLines,
        unknownColumns,
        counts,
        oversizedVehicles,
      }
    },
  }
}
