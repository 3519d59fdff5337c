import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import {
  insertFitmentRows,
  insertVehicleRows,
  listVehicleIds,
  MAX_ROWS_PER_STATEMENT,
  upsertVehicleIds,
} from '../storage/fitment/fitment-import-rows.ts'
import { activateFitmentImport, type FitmentImportCounts } from '../storage/fitment/fitment-imports.ts'
import type { Tenant } from '../tenant.ts'
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
  /** Stops the import; the current import stays active. */
  signal: AbortSignal
  onBadLine(bad: InvalidLine): void
  onProgress?(progress: ImportProgress): void
  /** Called with the SKUs of the file, before the import becomes active. */
  onChecked?(skus: () => IterableIterator<string>): Promise<void>
  /** Called in the transaction that activates the import. */
  onSwitch?(transaction: Database, counts: FitmentImportCounts): Promise<unknown>
  limits?: FitmentFileLimits
}

export interface FitmentFile extends Tenant {
  /** The name of the file, for reports. */
  source: string
  bytes: AsyncIterable<Uint8Array>
  /** The market of lines without one; empty: any. */
  market: string
  /** Skips bad lines instead of refusing the file. */
  skipBad: boolean
  /** Checks the file and writes nothing. */
  dryRun: boolean
}

const PROGRESS_LINES = 1_000

/**
 * Imports a file: writes its rows next to the active import in small batches, then activates them in one short transaction. An
 * interrupted import leaves only inactive rows, which are pruned later.
 */
export async function importFitments(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  return file.dryRun ? checkFile(parts, file) : importFile(parts, file)
}

async function createParser({ db, limits, onBadLine }: ImportParts, file: FitmentFile): Promise<FitmentFileParser> {
  const knownVehicles = await listVehicleIds(db, file)
  return createFitmentFileParser({ knownVehicles, market: file.market, onBadLine, ...(limits && { limits }) })
}

async function checkFile(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  const parser = await createParser(parts, file)
  for await (const _rows of readRows(parts, parser, file)) {
    // A dry run discards the rows.
  }
  if (isRefused(parser, file)) return { outcome: 'refused', ...parser.summary() }
  await parts.onChecked?.(parser.skus)
  return { outcome: 'checked', ...parser.summary() }
}

async function importFile(parts: ImportParts, file: FitmentFile): Promise<ImportReport> {
  const { db, now, signal } = parts
  const importId = parts.random()
  await using lease = await acquireImportLease(parts, file, importId)
  // Under the lease: an earlier import may still assign ids.
  const parser = await createParser(parts, file)
  const pending: ParsedFitmentRow[] = []
  for await (const rows of readRows(parts, parser, file)) {
    // Continue reading a refused file to report all of its bad lines.
    if (hasRefusedLines(parser, file)) continue
    pending.push(...rows)
    while (pending.length >= MAX_ROWS_PER_STATEMENT) await writeRows(pending.splice(0, MAX_ROWS_PER_STATEMENT))
  }
  if (isRefused(parser, file)) return { outcome: 'refused', ...parser.summary() }
  await writeRows(pending)
  await writeVehicles(parts, file, { importId, vehicles: parser.vehicles(), lease })
  await parts.onChecked?.(parser.skus)
  signal.throwIfAborted()
  const { counts } = parser.summary()
  const at = new Date(now()).toISOString()
  const { replaces } = lease
  const next = { import_id: importId, replaces, counts, at }
  const onActivate = async (transaction: Database) => parts.onSwitch?.(transaction, counts)
  const isActivated = (await lease.isHeld()) && (await activateFitmentImport(db, file, next, onActivate))
  return { outcome: isActivated ? 'imported' : 'overtaken', ...parser.summary() }

  async function writeRows(rows: readonly ParsedFitmentRow[]): Promise<void> {
    await insertFitmentRows(
      db,
      rows.map((row) => ({ import_id: importId, ...row })),
    )
    await lease.renew()
    // Let other work of this process, and other writers of the store, run.
    await yieldToEventLoop()
  }
}

const hasRefusedLines = ({ badLines }: FitmentFileParser, { skipBad }: FitmentFile) => badLines > 0 && !skipBad
const isRefused = (parser: FitmentFileParser, file: FitmentFile) =>
  !parser.isComplete || hasRefusedLines(parser, file) || parser.rows === 0

async function* readRows({ signal, onProgress }: ImportParts, parser: FitmentFileParser, { bytes }: FitmentFile) {
  const reportProgress = () => onProgress?.({ bytes: parser.bytes, lines: parser.lines, rows: parser.rows })
  let reportedLines = 0
  for await (const rows of parser.read(bytes)) {
    if (parser.lines - reportedLines >= PROGRESS_LINES) {
      reportedLines = parser.lines
      signal.throwIfAborted()
      reportProgress()
    }
    yield rows
  }
  signal.throwIfAborted()
  reportProgress()
}

async function writeVehicles(
  { db, signal }: ImportParts,
  tenant: Tenant,
  { importId, vehicles, lease }: { importId: number; vehicles: RegisteredVehicle[]; lease: ImportLease },
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
