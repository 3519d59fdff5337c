import { setImmediate as nextTurn } from 'node:timers/promises'
import { csvHeaderLine, csvTemplate, toCsvRow } from '../../fitment/csv-writer.ts'
import type { Database } from '../../storage/database.ts'
import { listFitmentExportRowsAfter } from '../../storage/fitment/fitment-export-rows.ts'
import {
  deactivateFitmentImport,
  type FitmentImport,
  findCurrentFitmentImport,
  listCurrentFitmentImports,
} from '../../storage/fitment/fitment-imports.ts'
import { transact } from '../../storage/transact.ts'
import { modes, type Tenant } from '../../tenant.ts'
import { auditCommand } from '../command-audit.ts'
import { readCommandConfig, requireTenant, usesImportedFitment } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, type StoreCommandOptions, withExistingStore, withStore } from '../with-store.ts'
import { describeFitmentImport } from './fitment-text.ts'

export interface FitmentTenantOptions extends StoreCommandOptions {
  merchant: string
  mode: string
}

const EXPORT_PAGE_ROWS = 1_000

export async function runFitmentStatus(options: StoreCommandOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const imports = hasStore(config.store) ? await withStore(config.store, listCurrentFitmentImports) : []
  const rows = config.merchants.flatMap((merchant) =>
    modes.map((mode) => {
      const imported = imports.find((current) => current.tenant_id === merchant && current.mode === mode) ?? null
      return { merchant, mode, shown: usesImportedFitment(config.merchantConfig(merchant), mode), imported }
    }),
  )
  if (options.json) return printJson(rows.map(({ imported, ...row }) => ({ ...row, imported: toJsonImport(imported) })))
  for (const { merchant, mode, shown, imported } of rows) {
    const status = imported ? describeFitmentImport(imported) : 'nothing imported'
    print(`${merchant} ${mode}: ${status}${statusWarning(shown, imported)}`)
  }
}

const toJsonImport = (current: FitmentImport | null) =>
  current && { source: current.source, counts: current.counts, since: current.touched_at }

function statusWarning(isShown: boolean, imported: FitmentImport | null): string {
  if (isShown && !imported) return ' (the configuration has fitment: imported, so storefronts see no vehicles)'
  if (!isShown && imported)
    return ' (storefronts do not see it, because the configuration does not have fitment: imported)'
  return ''
}

export async function runFitmentExport(options: FitmentTenantOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  await withExistingStore(config.store, async (db) => {
    const current = await findCurrentFitmentImport(db, tenant)
    if (!current) throw new UsageError(`Nothing is imported for ${tenant.merchant} ${tenant.mode}`)
    const lines: string[] = []
    for await (const line of exportLines(db, current)) {
      if (options.json) lines.push(line)
      else await writeToStdout(`${line}\n`)
    }
    if (options.json) printJson({ csv: lines.join('\n') })
  })
}

async function* exportLines(db: Database, { import_id, counts }: FitmentImport): AsyncGenerator<string> {
  yield csvHeaderLine
  let after = { vehicle_id: -1, sku: '' }
  let remaining = counts.fitments + counts.universal
  for (;;) {
    const rows = await listFitmentExportRowsAfter(db, import_id, after, EXPORT_PAGE_ROWS)
    remaining -= rows.length
    if (rows.length > 0) yield rows.map(toCsvRow).join('\n')
    if (rows.length < EXPORT_PAGE_ROWS) break
    after = rows.at(-1)!
    await nextTurn()
  }
  // A replaced import is deleted after a minute; a slow reader takes longer.
  if (remaining > 0)
    throw new Error(
      `The export is incomplete: another import replaced this one and ${remaining} rows were deleted. Export again`,
    )
}

/** Writes to standard output at the pace of its reader. */
async function writeToStdout(text: string): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

export async function runFitmentClear(options: FitmentTenantOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  await withExistingStore(config.store, async (db) => {
    const cleared = await transact(db, async (transaction) => {
      const wasActive = await deactivateFitmentImport(transaction, tenant, new Date().toISOString())
      if (wasActive) await auditCommand(transaction, 'fitment.clear', toAuditTarget(tenant))
      return wasActive
    })
    if (options.json) return printJson({ cleared })
    const name = `${tenant.merchant} ${tenant.mode}`
    print(cleared ? `Cleared the imported fitment of ${name}.` : `Nothing was imported for ${name}.`)
  })
}

/** Returns a tenant as the audit log names it. */
export const toAuditTarget = ({ merchant, mode }: Tenant) => ({ merchant, mode })

export const runFitmentTemplate = (): void => print(csvTemplate)
