import { MAX_PARTS_PER_VEHICLE } from '../ports/fitment.ts'
import { UNIVERSAL_VEHICLE_ID } from '../storage/fitment/fitment-queries.ts'
import { parseCsvHeader } from './csv-columns.ts'
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
  /** Rows after year ranges were spread out. */
  rows: number
  bytes: number
}

export const defaultFitmentFileLimits: FitmentFileLimits = { rows: 2_000_000, bytes: 2 ** 30 }

/** What a file comes to, as it is read. */
export interface FitmentFileParser {
  /** The rows of each line: none of one that is bad, which is told of, or that says what others have said. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedFitmentRow[]>
  /** Whether the file was read to its end. */
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
  /** Ids that vehicles were given before, with their keys. */
  known: Iterable<readonly [number, string]>
  /** Of lines that name none. */
  market: string
  onBadLine(bad: InvalidLine): void
  limits?: FitmentFileLimits
}

const EVERY_VEHICLE = { vehicle_id: UNIVERSAL_VEHICLE_ID, index: 0, name: 'every vehicle' }

export function createFitmentFileParser({
  known,
  market,
  onBadLine,
  limits = defaultFitmentFileLimits,
}: FitmentFileParserParts): FitmentFileParser {
  const book = createVehicleRegistry(known)
  const seen = createDuplicateDetector()
  const partsOf = new Map<number, number>()
  let [bytes, lines, badLines, doubled, rows] = [0, 0, 0, 0, 0]
  let unknownColumns: string[] = []
  let [headed, whole] = [false, false]

  function bad(line: number, error: unknown): void {
    if (!(error instanceof CsvFieldError)) throw error
    badLines += 1
    onBadLine({ line, mistake: error.message })
  }

  async function* counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limits.bytes) throw new CsvReadError(lines + 1, `the file is longer than ${limits.bytes} bytes`)
      yield chunk
    }
  }

  /** All that is new in a line, or nothing: a line that contradicts another in its last year is bad in its first too. */
  function rowsOf(cells: readonly string[], head: ReturnType<typeof parseCsvHeader>, line: number): ParsedFitmentRow[] {
    const { sku, vehicles, vehicleId, fitment } = parseFitmentLine(cells, head, market)
    const text = JSON.stringify(fitment)
    const named = vehicles?.map((vehicle) => book.register(vehicle, vehicleId, line)) ?? [EVERY_VEHICLE]
    const fresh = named.filter((of) => seen.isNew(sku, of.index, text, () => of.name))
    for (const { vehicle_id, index } of fresh) {
      seen.note(sku, index, text, line)
      partsOf.set(vehicle_id, (partsOf.get(vehicle_id) ?? 0) + 1)
    }
    rows += fresh.length
    return fresh.map(({ vehicle_id }) => ({ vehicle_id, sku, fitment: text }))
  }

  function readable(...of: Parameters<typeof rowsOf>): ParsedFitmentRow[] {
    try {
      const fresh = rowsOf(...of)
      if (fresh.length === 0) doubled += 1
      return fresh
    } catch (error) {
      bad(of[2], error)
      return []
    }
  }

  /** Those that a bad line alone names are none. */
  const vehicles = () => [...book.vehicles()].filter(({ vehicle_id }) => partsOf.has(vehicle_id))

  return {
    async *read(source) {
      let head: ReturnType<typeof parseCsvHeader> | undefined
      let isCounted = false
      try {
        for await (const { line, cells } of readCsvRecords(counted(source))) {
          if (!head) {
            head = parseCsvHeader(cells)
            unknownColumns = head.unknown
            if (head.mistake) throw new CsvReadError(line, head.mistake)
            headed = true
            continue
          }
          lines += 1
          isCounted = true
          yield readable(cells, head, line)
          if (rows > limits.rows) throw new CsvReadError(line, `makes more than ${limits.rows} rows`)
          isCounted = false
        }
        if (!head) throw new CsvReadError(1, 'the file is empty')
        whole = true
      } catch (error) {
        bad(error instanceof CsvReadError ? error.line : 0, error)
        // The line at which the reading ended is one too.
        if (!isCounted) lines += 1
      }
    },
    get isComplete() {
      return whole
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
    skus: () => seen.skus(),
    vehicles,
    summary() {
      const universal = partsOf.get(UNIVERSAL_VEHICLE_ID) ?? 0
      const counts = { vehicles: vehicles().length, skus: seen.skuCount, fitments: rows - universal, universal }
      const crowded = vehicles().flatMap(({ vehicle_id, name }) => {
        const parts = partsOf.get(vehicle_id)! + universal
        return parts > MAX_PARTS_PER_VEHICLE ? [{ vehicle: name, parts }] : []
      })
      return {
        hasHeader: headed,
        isComplete: whole,
        lines,
        badLines,
        duplicateLines: doubled,
        unknownColumns,
        counts,
        oversizedVehicles: crowded,
      }
    },
  }
}
