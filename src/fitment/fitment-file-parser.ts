import { MOST_PARTS } from '../ports/fitment.ts'
import { UNIVERSAL } from '../storage/fitment/fitment-queries.ts'
import { headOf } from './csv-columns.ts'
import { csvRecords, Unreadable } from './csv-reader.ts'
import { FieldMistake } from './csv-fields.ts'
import { applicationOf } from './fitment-line.ts'
import type { BadLine, ImportReport } from './import-report.ts'
import { createSeen } from './duplicate-detector.ts'
import { type BookedVehicle, createVehicleBook } from './vehicle-registry.ts'

export interface CheckedRow {
  vehicle_id: number
  sku: string
  /** JSON. */
  fitment: string
}

export interface CheckLimits {
  /** Rows after year ranges were spread out. */
  rows: number
  bytes: number
}

export const checkLimits: CheckLimits = { rows: 2_000_000, bytes: 2 ** 30 }

/** What a file comes to, as it is read. */
export interface Check {
  /** The rows of each line: none of one that is bad, which is told of, or that says what others have said. */
  read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CheckedRow[]>
  /** Whether the file was read to its end. */
  readonly whole: boolean
  readonly bytes: number
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  vehicles(): BookedVehicle[]
  skus(): IterableIterator<string>
  summary(): Pick<
    ImportReport,
    'headed' | 'whole' | 'lines' | 'badLines' | 'doubled' | 'counts' | 'unknownColumns' | 'crowded'
  >
}

export interface CheckParts {
  /** Ids that vehicles were given before, with their keys. */
  known: Iterable<readonly [number, string]>
  /** Of lines that name none. */
  market: string
  onBadLine(bad: BadLine): void
  limits?: CheckLimits
}

const EVERY_VEHICLE = { vehicle_id: UNIVERSAL, index: 0, name: 'every vehicle' }

export function createCheck({ known, market, onBadLine, limits = checkLimits }: CheckParts): Check {
  const book = createVehicleBook(known)
  const seen = createSeen()
  const partsOf = new Map<number, number>()
  let [bytes, lines, badLines, doubled, rows] = [0, 0, 0, 0, 0]
  let unknownColumns: string[] = []
  let [headed, whole] = [false, false]

  function bad(line: number, error: unknown): void {
    if (!(error instanceof FieldMistake)) throw error
    badLines += 1
    onBadLine({ line, mistake: error.message })
  }

  async function* counted(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limits.bytes) throw new Unreadable(lines + 1, `the file is longer than ${limits.bytes} bytes`)
      yield chunk
    }
  }

  /** All that is new in a line, or nothing: a line that contradicts another in its last year is bad in its first too. */
  function rowsOf(cells: readonly string[], head: ReturnType<typeof headOf>, line: number): CheckedRow[] {
    const { sku, vehicles, vehicleId, fitment } = applicationOf(cells, head, market)
    const text = JSON.stringify(fitment)
    const named = vehicles?.map((vehicle) => book.enter(vehicle, vehicleId, line)) ?? [EVERY_VEHICLE]
    const fresh = named.filter((of) => seen.isNew(sku, of.index, text, () => of.name))
    for (const { vehicle_id, index } of fresh) {
      seen.note(sku, index, text, line)
      partsOf.set(vehicle_id, (partsOf.get(vehicle_id) ?? 0) + 1)
    }
    rows += fresh.length
    return fresh.map(({ vehicle_id }) => ({ vehicle_id, sku, fitment: text }))
  }

  function readable(...of: Parameters<typeof rowsOf>): CheckedRow[] {
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
      let head: ReturnType<typeof headOf> | undefined
      let isCounted = false
      try {
        for await (const { line, cells } of csvRecords(counted(source))) {
          if (!head) {
            head = headOf(cells)
            unknownColumns = head.unknown
            if (head.mistake) throw new Unreadable(line, head.mistake)
            headed = true
            continue
          }
          lines += 1
          isCounted = true
          yield readable(cells, head, line)
          if (rows > limits.rows) throw new Unreadable(line, `makes more than ${limits.rows} rows`)
          isCounted = false
        }
        if (!head) throw new Unreadable(1, 'the file is empty')
        whole = true
      } catch (error) {
        bad(error instanceof Unreadable ? error.line : 0, error)
        // The line at which the reading ended is one too.
        if (!isCounted) lines += 1
      }
    },
    get whole() {
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
      const universal = partsOf.get(UNIVERSAL) ?? 0
      const counts = { vehicles: vehicles().length, skus: seen.skuCount, fitments: rows - universal, universal }
      const crowded = vehicles().flatMap(({ vehicle_id, name }) => {
        const parts = partsOf.get(vehicle_id)! + universal
        return parts > MOST_PARTS ? [{ vehicle: name, parts }] : []
      })
      return { headed, whole, lines, badLines, doubled, unknownColumns, counts, crowded }
    },
  }
}
