import { randomInt } from 'node:crypto'
import { createReadStream, type ReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseNameField } from '../../fitment/csv-fields.ts'
import { type FitmentFile, importFitments } from '../../fitment/import-fitments.ts'
import type { InvalidLine } from '../../fitment/import-report.ts'
import type { Database } from '../../storage/database.ts'
import type { FitmentImportCounts } from '../../storage/fitment/fitment-imports.ts'
import { auditCommand } from '../command-audit.ts'
import { isFitmentImported, readCommandConfig, requireTenant } from '../command-config.ts'
import { printError } from '../print.ts'
import { waitForShutdownSignal } from '../shutdown-signal.ts'
import { UsageError } from '../usage-error.ts'
import { withStore } from '../with-store.ts'
import { findUnknownSkus } from './find-unknown-skus.ts'
import { type FitmentTenantOptions, toAuditTarget } from './fitment-commands.ts'
import { createImportProgress } from './import-progress.ts'
import { printImportOutcome } from './print-import-outcome.ts'

export interface FitmentImportOptions extends FitmentTenantOptions {
  dryRun?: boolean
  skipBad?: boolean
  all?: boolean
  market?: string
  checkSkus?: boolean
  sandboxPort?: number
}

const SHOWN = 20
/** JSON is written at the end: what stands in it is held until then. */
const MOST_IN_JSON = 100_000

/** Imports a file, and says what came of it: exit code 0, or 1 when nothing was imported, or 130 when it was stopped. */
export async function runFitmentImport(file: string, options: FitmentImportOptions): Promise<void> {
  const at = readCommandConfig(options.config)
  const owner = requireTenant(at, options.merchant, options.mode)
  const { stream, bytes } = opened(file)
  const stop = new AbortController()
  void waitForShutdownSignal().then(() => {
    stop.abort(new Error('stopped'))
    stream.destroy()
  })
  const source = file === '-' ? 'standard input' : basename(file)
  const bad = badLines(options)
  const progress = createImportProgress({ bytes, stream: process.stderr, now: Date.now })
  let unknown: string[] | null = null
  await withStore(at.store, async (db) => {
    const parts = {
      ...{ db, now: Date.now, random: () => randomInt(1, 2 ** 31 - 1), signal: stop.signal },
      ...{ onProgress: progress.show, onBadLine: bad.add },
      onSwitch: (transaction: Database, counts: FitmentImportCounts) =>
        auditCommand(transaction, 'fitment.import', { ...toAuditTarget(owner), source, ...counts }),
      async onChecked(skus: () => Iterable<string>) {
        progress.end()
        if (options.checkSkus) unknown = await findUnknownSkus(skus(), { ...options, mode: owner.mode }, at)
      },
    }
    try {
      const report = await importFitments(parts, { ...owner, ...fileOf(source, stream, options) })
      progress.end()
      const shown = isFitmentImported(at.of(options.merchant), owner.mode)
      printImportOutcome({ file, options, configuration: at.name, shown, report, bad: bad.kept, unknown })
    } catch (error) {
      progress.end()
      if (!stop.signal.aborted) throw error
      printError('Stopped: nothing has changed.')
      process.exitCode = 130
    }
  })
}

function opened(file: string): { stream: ReadStream | NodeJS.ReadStream; bytes: number | null } {
  if (file === '-') return { stream: process.stdin, bytes: null }
  try {
    const found = statSync(file)
    if (found.isDirectory()) throw new UsageError(`${file} is a folder`)
    return { stream: createReadStream(file), bytes: found.isFile() ? found.size : null }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function fileOf(source: string, stream: AsyncIterable<Uint8Array>, options: FitmentImportOptions) {
  const { skipBad = false, dryRun = false } = options
  return { source, bytes: stream, market: marketOf(options), skipBad, dryRun } satisfies Omit<
    FitmentFile,
    'tenant_id' | 'mode'
  >
}

function marketOf({ market = '' }: FitmentImportOptions): string {
  try {
    return parseNameField('market', market, 64)
  } catch (error) {
    throw new UsageError(`--market: ${(error as Error).message}`)
  }
}

/** Bad lines as they come: the first few are said at once, the others are counted. */
function badLines({ all = false, json = false }: FitmentImportOptions) {
  const kept: InvalidLine[] = []
  let count = 0
  return {
    kept,
    add(bad: InvalidLine): void {
      count += 1
      if (json) {
        if (kept.length < MOST_IN_JSON) kept.push(bad)
      } else if (all || count <= SHOWN) printError(`line ${bad.line}: ${bad.mistake}`)
      else if (count === SHOWN + 1) printError('… (--all shows every bad line)')
    },
  }
}
