import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import type { ImportStore } from '../storage/imports/import-store.ts'
import type { Tenant } from '../tenant.ts'
import type { FileLimits, FileParser } from './file-parser.ts'
import { acquireImportLease, type ImportLease } from './import-lease.ts'
import type { FileSummary, ImportProgress, ImportReport, InvalidLine } from './import-report.ts'

export interface ImportParts<Counts> {
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
  onSwitch?(transaction: Database, counts: Counts): Promise<unknown>
  limits?: FileLimits
}

export interface ImportFile extends Tenant {
  /** The name of the file, for reports. */
  source: string
  bytes: AsyncIterable<Uint8Array>
  /** Skips bad lines instead of refusing the file. */
  skipBad: boolean
  /** Checks the file and writes nothing. */
  dryRun: boolean
}

/** Parses the files of one kind of import. */
export interface ImportParser<Row, Summary extends FileSummary> extends FileParser<Row> {
  skus(): IterableIterator<string>
  summary(): Summary
}

/** The parser of one file, and what its rows become. */
export interface ImportWork<Row, Summary extends FileSummary> {
  parser: ImportParser<Row, Summary>
  insertRows(importId: number, rows: readonly Row[]): Promise<void>
  /** Writes what is known only at the end of the file. */
  finish?(importId: number, lease: ImportLease): Promise<void>
}

export interface ImportKind<Row, Counts, Summary extends FileSummary & { counts: Counts }> {
  store: ImportStore<Counts>
  /** Called under the lease, unless it is a dry run: an earlier import may still be writing. */
  begin(): Promise<ImportWork<Row, Summary>>
}

/** Small enough that other queries do not wait, and that a statement can take the parameters. */
export const MAX_ROWS_PER_STATEMENT = 500
const PROGRESS_LINES = 1_000

/**
 * Imports a file: writes its rows next to the active import in small batches, then activates them in one short transaction. An
 * interrupted import leaves only inactive rows, which are pruned later.
 */
export function importFile<Row, Counts, Summary extends FileSummary & { counts: Counts }>(
  kind: ImportKind<Row, Counts, Summary>,
  parts: ImportParts<Counts>,
  file: ImportFile,
): Promise<ImportReport<Summary>> {
  return file.dryRun ? checkFile(kind, parts, file) : writeFile(kind, parts, file)
}

async function checkFile<Row, Counts, Summary extends FileSummary & { counts: Counts }>(
  kind: ImportKind<Row, Counts, Summary>,
  parts: ImportParts<Counts>,
  file: ImportFile,
): Promise<ImportReport<Summary>> {
  const { parser } = await kind.begin()
  for await (const _rows of readRows(parts, parser, file)) {
    // A dry run discards the rows.
  }
  if (isRefused(parser, file)) return { outcome: 'refused', ...parser.summary() }
  await parts.onChecked?.(parser.skus)
  return { outcome: 'checked', ...parser.summary() }
}

async function writeFile<Row, Counts, Summary extends FileSummary & { counts: Counts }>(
  { store, begin }: ImportKind<Row, Counts, Summary>,
  parts: ImportParts<Counts>,
  file: ImportFile,
): Promise<ImportReport<Summary>> {
  const { db, now, signal } = parts
  const importId = parts.random()
  await using lease = await acquireImportLease({ db, now, store }, file, importId)
  const { parser, insertRows, finish } = await begin()
  const pending: Row[] = []
  for await (const rows of readRows(parts, parser, file)) {
    // Continue reading a refused file to report all of its bad lines.
    if (hasRefusedLines(parser, file)) continue
    pending.push(...rows)
    while (pending.length >= MAX_ROWS_PER_STATEMENT) await writeRows(pending.splice(0, MAX_ROWS_PER_STATEMENT))
  }
  if (isRefused(parser, file)) return { outcome: 'refused', ...parser.summary() }
  await writeRows(pending)
  await finish?.(importId, lease)
  await parts.onChecked?.(parser.skus)
  signal.throwIfAborted()
  const { counts } = parser.summary()
  const next = { import_id: importId, replaces: lease.replaces, counts, at: new Date(now()).toISOString() }
  const onActivate = async (transaction: Database) => parts.onSwitch?.(transaction, counts)
  const isActivated = (await lease.isHeld()) && (await store.activate(db, file, next, onActivate))
  return { outcome: isActivated ? 'imported' : 'overtaken', ...parser.summary() }

  async function writeRows(rows: readonly Row[]): Promise<void> {
    if (rows.length > 0) await insertRows(importId, rows)
    await lease.renew()
    // Let other work of this process, and other writers of the store, run.
    await yieldToEventLoop()
  }
}

type ReadFile = Pick<FileParser<unknown>, 'isComplete' | 'badLines' | 'rows'>

const hasRefusedLines = ({ badLines }: ReadFile, { skipBad }: ImportFile) => badLines > 0 && !skipBad
const isRefused = (parser: ReadFile, file: ImportFile) =>
  !parser.isComplete || hasRefusedLines(parser, file) || parser.rows === 0

async function* readRows<Row, Counts>(
  { signal, onProgress }: ImportParts<Counts>,
  parser: FileParser<Row>,
  { bytes }: ImportFile,
) {
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
