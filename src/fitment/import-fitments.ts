import { setImmediate as breath } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import {
  insertFitmentRows,
  insertVehicleRows,
  listVehicleIds,
  MAX_ROWS_PER_STATEMENT,
  upsertVehicleIds,
} from '../storage/fitment/fitment-import-rows.ts'
import {
  activateFitmentImport,
  type FitmentImportCounts,
  type FitmentOwner,
} from '../storage/fitment/fitment-imports.ts'
import {
  createFitmentFileParser,
  type FitmentFileLimits,
  type FitmentFileParser,
  type ParsedFitmentRow,
} from './fitment-file-parser.ts'
import { acquireImportLease, type ImportLease } from './import-lease.ts'
import type { ImportProgress, ImportReport, InvalidLine } from './import-report.ts'
import type { RegisteredVehicle } from './vehicle-registry.ts'

export interface ImportParts {
  db: Database
  now: () => number
  /** A whole number from 1 to 2 ** 31 - 1. */
  random: () => number
  /** Ends it; what was in force stays so. */
  signal: AbortSignal
  onBadLine(bad: InvalidLine): void
  onProgress?(progress: ImportProgress): void
  /** Looks at what would be put in force, before it is. */
  onChecked?(skus: () => IterableIterator<string>): Promise<void>
  /** In the transaction that puts it in force. */
  onSwitch?(transaction: Database, counts: FitmentImportCounts): Promise<unknown>
  limits?: FitmentFileLimits
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

async function checkOf({ db, limits, onBadLine }: ImportParts, file: FitmentFile): Promise<FitmentFileParser> {
  const known = await listVehicleIds(db, file)
  return createFitmentFileParser({ known, market: file.market, onBadLine, ...(limits && { limits }) })
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
  await using lease = await acquireImportLease(parts, file, importId)
  // Not sooner: the import before may just be giving ids.
  const check = await checkOf(parts, file)
  const waiting: ParsedFitmentRow[] = []
  for await (const rows of watched(parts, check, file)) {
    // A file that will be refused is read on, so that all of its bad lines are told.
    if (isDoomed(check, file)) continue
    waiting.push(...rows)
    while (waiting.length >= MAX_ROWS_PER_STATEMENT) await write(waiting.splice(0, MAX_ROWS_PER_STATEMENT))
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
  const switched = (await lease.isHeld()) && (await activateFitmentImport(db, file, next, also))
  return { outcome: switched ? 'imported' : 'overtaken', ...check.summary() }

  async function write(rows: readonly ParsedFitmentRow[]): Promise<void> {
    await insertFitmentRows(
      db,
      rows.map((row) => ({ import_id: importId, ...row })),
    )
    await lease.renew()
    // Others of this process, and other writers of the store, get their turn.
    await breath()
  }
}

const isDoomed = ({ badLines }: FitmentFileParser, { skipBad }: FitmentFile) => badLines > 0 && !skipBad
const isRefused = (check: FitmentFileParser, file: FitmentFile) =>
  !check.isComplete || isDoomed(check, file) || check.rows === 0

async function* watched({ signal, onProgress }: ImportParts, check: FitmentFileParser, { bytes }: FitmentFile) {
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
  { importId, vehicles, lease }: { importId: number; vehicles: RegisteredVehicle[]; lease: ImportLease },
): Promise<void> {
  for (let from = 0; from < vehicles.length; from += MAX_ROWS_PER_STATEMENT) {
    const some = vehicles.slice(from, from + MAX_ROWS_PER_STATEMENT)
    await upsertVehicleIds(
      db,
      owner,
      some.map(({ vehicle_id, key }) => [vehicle_id, key]),
    )
    await insertVehicleRows(
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
