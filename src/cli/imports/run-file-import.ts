import { randomInt } from 'node:crypto'
import { basename } from 'node:path'
import type { ImportFile, ImportParts } from '../../imports/import-file.ts'
import type { FileSummary, ImportReport, InvalidLine } from '../../imports/import-report.ts'
import { startStoreClock } from '../../storage/store-clock.ts'
import type { Tenant } from '../../tenant.ts'
import { auditCommand } from '../command-audit.ts'
import { type CommandConfig, readCommandConfig, requireTenant } from '../command-config.ts'
import { printError } from '../print.ts'
import { waitForShutdownSignal } from '../shutdown-and-hangup-signals.ts'
import { withStore } from '../with-store.ts'
import { findUnknownSkus } from './find-unknown-skus.ts'
import { openImportInput } from './import-input.ts'
import { createImportProgress } from './import-progress.ts'
import { type ImportTenantOptions, toAuditTarget } from './imported-data-commands.ts'
import { type ImportTexts, printImportReport } from './print-import-report.ts'
import { reportBadLines } from './report-bad-lines.ts'

export interface FileImportOptions extends ImportTenantOptions {
  dryRun?: boolean
  skipBad?: boolean
  all?: boolean
  checkSkus?: boolean
  sandboxPort?: number
}

/** One kind of file, and what to say about its import. */
export interface FileImport<Counts, Summary extends FileSummary & { counts: Counts }> {
  importInto(parts: ImportParts<Counts>, file: ImportFile): Promise<ImportReport<Summary>>
  texts: ImportTexts<Summary>
  /** Describes why storefronts do not see the import yet; `null`: they do. */
  findObstacle?(config: CommandConfig, tenant: Tenant): string | null
}

const INTERRUPTED = 130
/** An audit entry names the first bad lines only. */
const MAX_AUDITED_BAD_LINES = 10

/** Imports a file and prints the result. Exit code 1: nothing was imported; 130: interrupted. */
export async function runFileImport<Counts extends object, Summary extends FileSummary & { counts: Counts }>(
  file: string,
  options: FileImportOptions,
  { importInto, texts, findObstacle }: FileImport<Counts, Summary>,
): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  const input = openImportInput(file)
  const interruption = new AbortController()
  void waitForShutdownSignal().then(() => {
    interruption.abort(new Error('interrupted'))
    input.stream.destroy()
  })
  const bad = reportBadLines(options)
  const progress = createImportProgress({ bytes: input.bytes, stream: process.stderr, now: Date.now })
  const source = file === '-' ? 'standard input' : basename(file)
  const action = `${texts.subject}.import`
  const target = { ...toAuditTarget(tenant), source }
  let unknownSkus: string[] | null = null
  const firstBad: InvalidLine[] = []
  const { dryRun = false, skipBad = false } = options
  try {
    const report = await withStore(config.store, async (db) => {
      // Imports on other machines compare the lease with their clocks.
      await using clock = await startStoreClock({ db, now: Date.now })
      const report = await importInto(
        {
          db,
          now: clock.now,
          random: () => randomInt(1, 2 ** 31 - 1),
          signal: interruption.signal,
          onProgress: progress.show,
          onBadLine(line) {
            if (firstBad.length < MAX_AUDITED_BAD_LINES) firstBad.push(line)
            bad.add(line)
          },
          onSwitch: (transaction, counts) => auditCommand(transaction, action, { ...target, ...counts }),
          async onChecked(skus) {
            progress.end()
            if (options.checkSkus) unknownSkus = await findUnknownSkus(skus(), tenant, config, options.sandboxPort)
          },
        },
        { ...tenant, source, bytes: input.stream, skipBad, dryRun },
      )
      const { outcome, lines, badLines } = report
      if (!dryRun && outcome !== 'imported')
        await auditCommand(db, action, { ...target, outcome, lines, badLines, bad: firstBad }, 'failed')
      return report
    })
    progress.end()
    const obstacle = findObstacle?.(config, tenant) ?? null
    printImportReport({ file, options, texts, report, obstacle, bad: bad.collected, unknownSkus })
  } catch (error) {
    progress.end()
    if (!interruption.signal.aborted) throw error
    printError('Interrupted: nothing was changed.')
    process.exitCode = INTERRUPTED
  }
}
