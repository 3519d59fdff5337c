import { randomInt } from 'node:crypto'
import { createReadStream, type ReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { parseNameField } from '../../fitment/csv-fields.ts'
import { importFitments } from '../../fitment/import-fitments.ts'
import type { ImportReport, InvalidLine } from '../../fitment/import-report.ts'
import type { Database } from '../../storage/database.ts'
import type { Tenant } from '../../tenant.ts'
import { auditCommand } from '../command-audit.ts'
import { type CommandConfig, readCommandConfig, requireTenant, usesImportedFitment } from '../command-config.ts'
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

const PRINTED_BAD_LINES = 20
/** JSON is printed at the end: its bad lines are in memory until then. */
const MAX_BAD_LINES_IN_JSON = 100_000
const INTERRUPTED = 130

/** Imports a file and prints the result. Exit code 1: nothing was imported; 130: interrupted. */
export async function runFitmentImport(file: string, options: FitmentImportOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  const input = openInput(file)
  const interruption = new AbortController()
  void waitForShutdownSignal().then(() => {
    interruption.abort(new Error('interrupted'))
    input.stream.destroy()
  })
  const badLines = collectBadLines(options)
  const progress = createImportProgress({ bytes: input.bytes, stream: process.stderr, now: Date.now })
  try {
    const { report, unknownSkus } = await withStore(config.store, (db) =>
      importFile(db, { file, options, tenant, config, input, badLines, progress, signal: interruption.signal }),
    )
    progress.end()
    const isShown = usesImportedFitment(config.merchantConfig(tenant.merchant), tenant.mode)
    const bad = badLines.collected
    printImportOutcome({ file, options, configuration: config.name, isShown, report, bad, unknownSkus })
  } catch (error) {
    progress.end()
    if (!interruption.signal.aborted) throw error
    printError('Interrupted: nothing was changed.')
    process.exitCode = INTERRUPTED
  }
}

interface ImportJob {
  file: string
  options: FitmentImportOptions
  tenant: Tenant
  config: CommandConfig
  input: FitmentInput
  badLines: BadLineCollector
  progress: ReturnType<typeof createImportProgress>
  signal: AbortSignal
}

async function importFile(
  db: Database,
  { file, options, tenant, config, input, badLines, progress, signal }: ImportJob,
): Promise<{ report: ImportReport; unknownSkus: string[] | null }> {
  const source = file === '-' ? 'standard input' : basename(file)
  let unknownSkus: string[] | null = null
  const report = await importFitments(
    {
      db,
      now: Date.now,
      random: () => randomInt(1, 2 ** 31 - 1),
      signal,
      onProgress: progress.show,
      onBadLine: badLines.add,
      onSwitch: (transaction, counts) =>
        auditCommand(transaction, 'fitment.import', { ...toAuditTarget(tenant), source, ...counts }),
      async onChecked(skus) {
        progress.end()
        if (options.checkSkus) unknownSkus = await findUnknownSkus(skus(), tenant, config, options.sandboxPort)
      },
    },
    {
      ...tenant,
      source,
      bytes: input.stream,
      market: parseMarketOption(options.market),
      skipBad: options.skipBad ?? false,
      dryRun: options.dryRun ?? false,
    },
  )
  return { report, unknownSkus }
}

interface FitmentInput {
  stream: ReadStream | NodeJS.ReadStream
  /** The size of the file; `null`: unknown. */
  bytes: number | null
}

function openInput(file: string): FitmentInput {
  if (file === '-') return { stream: process.stdin, bytes: null }
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) throw new UsageError(`${file} is a directory`)
    return { stream: createReadStream(file), bytes: stats.isFile() ? stats.size : null }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function parseMarketOption(market = ''): string {
  try {
    return parseNameField('market', market, 64)
  } catch (error) {
    throw new UsageError(`--market: ${(error as Error).message}`)
  }
}

interface BadLineCollector {
  /** For JSON. */
  collected: InvalidLine[]
  add(bad: InvalidLine): void
}

/** Prints the first bad lines at once, or collects them for JSON. */
function collectBadLines({ all = false, json = false }: FitmentImportOptions): BadLineCollector {
  const collected: InvalidLine[] = []
  let count = 0
  return {
    collected,
    add(bad) {
      count += 1
      if (json) {
        if (collected.length < MAX_BAD_LINES_IN_JSON) collected.push(bad)
      } else if (all || count <= PRINTED_BAD_LINES) printError(`line ${bad.line}: ${bad.mistake}`)
      else if (count === PRINTED_BAD_LINES + 1) printError('… (--all prints every bad line)')
    },
  }
}
