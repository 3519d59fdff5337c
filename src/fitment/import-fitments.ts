import { setImmediate as breath } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import { type FitmentCounts, type FitmentOwner, switchTo } from '../storage/fitment/fitment-imports.ts'
import {
  keepVehicleIds,
  ROWS_A_STATEMENT,
  vehicleIds,
  writeFitments,
  writeVehicles,
} from '../storage/fitment/fitment-import-rows.ts'
import { type Check, type CheckedRow, type CheckLimits, createCheck } from './fitment-file-parser.ts'
import { type ImportLease, leaseImport } from './import-lease.ts'
import type { BadLine, ImportReport, Progress } from './import-report.ts'
import type { BookedVehicle } from './vehicle-registry.ts'

export interface ImportParts {
  db: Database
  now: () => number
  /** A whole number from 1 to 2 ** 31 - 1. */
  random: () => number
  /** Ends it; what was in force stays so. */
  signal: AbortSignal
  onBadLine(bad: BadLine): void
  onProgress?(progress: Progress): void
  /** Looks at what would be put in force, before it is. */
  onChecked?(skus: () => IterableIterator<string>): Promise<void>
  /** In the transaction that puts it in force. */
  onSwitch?(transaction: Database, counts: FitmentCounts): Promise<unknown>
  limits?: CheckLimits
}

export interface FitmentFile extends FitmentOwner {
  /** Its name, for those who look later. */
  source: string
  bytes: AsyncIterable<Uint8Array>
  /** Of lines that name none; empty: any. */
  market: string
  /** Lines that are bad are left out, instead of refusing all. */
  skipBad: boolean
  /** Nothing is written. */
  dryRun: boolean
}

const PROGRESS_LINES = 1_000

/**
 * Reads a file to its end, writes it beside what is in force, a few rows at a time, then lets it take that one's place in one small
 * transaction. Whatever ends it before that leaves nothing behind but rows that nobody reads, which are pruned.
 */
export async function importFitments(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  return file.dryRun ? tryOut(parts, file) : bringIn(parts, file)
}

async function checkOf({ db, limits, onBadLine }: ImportParts, file: FitmentFile): Promise<Check> {
  const known = await vehicleIds(db, file)
  return createCheck({ known, market: file.market, onBadLine, ...(limits && { limits }) })
}

async function tryOut(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  const check = await checkOf(parts, file)
  for await (const _rows of watched(parts, check, file)) {
    // They are only looked at.
  }
  if (isRefused(check, file)) return { outcome: 'refused', ...check.summary() }
  await parts.onChecked?.(check.skus)
  return { outcome: 'checked', ...check.summary() }
}

async function bringIn(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  const { db, now, signal } = parts
  const importId = parts.random()
  await using lease = await leaseImport(parts, file, importId)
  // Not sooner: the import before may just be giving ids.
  const check = await checkOf(parts, file)
  const waiting: CheckedRow[] = []
  for await (const rows of watched(parts, check, file)) {
    // A file that will be refused is read on, so that all of its bad lines are told.
    if (isDoomed(check, file)) continue
    waiting.push(...rows)
    while (waiting.length >= ROWS_A_STATEMENT) await write(waiting.splice(0, ROWS_A_STATEMENT))
  }
  if (isRefused(check, file)) return { outcome: 'refused', ...check.summary() }
  await write(waiting)
  await writeBook(parts, file, { importId, vehicles: check.vehicles(), lease })
  await parts.onChecked?.(check.skus)
  signal.throwIfAborted()
  const { counts } = check.summary()
  const at = new Date(now()).toISOString()
  const { replaces } = lease
  const next = { import_id: importId, replaces, counts, at }
  const also = async (transaction: Database) => parts.onSwitch?.(transaction, counts)
  const switched = (await lease.isHeld()) && (await switchTo(db, file, next, also))
  return { outcome: switched ? 'imported' : 'overtaken', ...check.summary() }

  async function write(rows: readonly CheckedRow[]): Promise<void> {
    await writeFitments(
      db,
      rows.map((row) => ({ import_id: importId, ...row })),
    )
    await lease.renew()
    // Others of this process, and other writers of the store, get their turn.
    await breath()
  }
}

const isDoomed = ({ badLines }: Check, { skipBad }: FitmentFile) => badLines > 0 && !skipBad
const isRefused = (check: Check, file: FitmentFile) => !check.whole || isDoomed(check, file) || check.rows === 0

async function* watched({ signal, onProgress }: ImportParts, check: Check, { bytes }: FitmentFile) {
  const tell = () => onProgress?.({ bytes: check.bytes, lines: check.lines, rows: check.rows })
  let told = 0
  for await (const rows of check.read(bytes)) {
    if (check.lines - told >= PROGRESS_LINES) {
      told = check.lines
      signal.throwIfAborted()
      tell()
    }
    yield rows
  }
  signal.throwIfAborted()
  tell()
}

async function writeBook(
  { db, signal }: ImportParts,
  owner: FitmentOwner,
  { importId, vehicles, lease }: { importId: number; vehicles: BookedVehicle[]; lease: ImportLease },
): Promise<void> {
  for (let from = 0; from < vehicles.length; from += ROWS_A_STATEMENT) {
    const some = vehicles.slice(from, from + ROWS_A_STATEMENT)
    await keepVehicleIds(
      db,
      owner,
      some.map(({ vehicle_id, key }) => [vehicle_id, key]),
    )
    await writeVehicles(
      db,
      some.map(({ vehicle_id, key, market, year, make, model, submodel, engine }) => ({
        ...{ import_id: importId, vehicle_id, vehicle_key: key, year, model, submodel, engine },
        ...{ market, market_key: market.toLowerCase(), make, make_key: make.toLowerCase() },
      })),
    )
    await lease.renew()
    signal.throwIfAborted()
  }
}
