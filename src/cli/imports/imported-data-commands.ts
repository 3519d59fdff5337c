import type { Database } from '../../storage/database.ts'
import type { ImportStore, StoredImport } from '../../storage/imports/import-store.ts'
import { transact } from '../../storage/transact.ts'
import { modes, type Tenant } from '../../tenant.ts'
import { auditCommand } from '../command-audit.ts'
import { type CommandConfig, readCommandConfig, requireTenant } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, type StoreCommandOptions, withExistingStore, withStore } from '../with-store.ts'

export interface ImportTenantOptions extends StoreCommandOptions {
  merchant: string
  mode: string
}

/** The imported data of one merchant and mode. */
export interface ImportStatus<Counts> extends Tenant {
  imported: StoredImport<Counts> | null
}

/** Reads what is imported for each merchant and mode of the configuration. */
export async function listImportStatus<Counts>(
  config: CommandConfig,
  store: ImportStore<Counts>,
): Promise<ImportStatus<Counts>[]> {
  const imports = hasStore(config.store) ? await withStore(config.store, store.listCurrent) : []
  return config.merchants.flatMap((merchant) =>
    modes.map((mode) => {
      const imported = imports.find((current) => current.tenant_id === merchant && current.mode === mode)
      return { merchant, mode, imported: imported ?? null }
    }),
  )
}

export const toJsonImport = <Counts>(imported: StoredImport<Counts> | null) =>
  imported && { source: imported.source, counts: imported.counts, since: imported.touched_at }

/** Prints the CSV lines of the current import. */
export async function exportImport<Counts>(
  options: ImportTenantOptions,
  store: ImportStore<Counts>,
  toLines: (db: Database, current: StoredImport<Counts>) => AsyncIterable<string>,
): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  await withExistingStore(config.store, async (db) => {
    const current = await store.findCurrent(db, tenant)
    if (!current) throw new UsageError(`Nothing is imported for ${tenant.merchant} ${tenant.mode}`)
    const lines: string[] = []
    for await (const line of toLines(db, current)) {
      if (options.json) lines.push(line)
      else await writeToStdout(`${line}\n`)
    }
    if (options.json) printJson({ csv: lines.join('\n') })
  })
}

/** Fails an export that lost rows: a replaced import is deleted after a minute, and a slow reader takes longer. */
export function requireWholeExport(missingRows: number): void {
  if (missingRows > 0)
    throw new Error(
      `The export is incomplete: another import replaced this one and ${missingRows} rows were deleted. Export again`,
    )
}

/** Writes to standard output at the pace of its reader. */
async function writeToStdout(text: string): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

/** Deletes the current import. `noun`: what is cleared, in the message. */
export async function clearImport(
  options: ImportTenantOptions,
  store: ImportStore<unknown>,
  noun: string,
): Promise<void> {
  const config = readCommandConfig(options.config)
  const tenant = requireTenant(config, options)
  await withExistingStore(config.store, async (db) => {
    const cleared = await transact(db, async (transaction) => {
      const wasActive = await store.deactivate(transaction, tenant, new Date().toISOString())
      if (wasActive) await auditCommand(transaction, `${store.subject}.clear`, toAuditTarget(tenant))
      return wasActive
    })
    if (options.json) return printJson({ cleared })
    const name = `${tenant.merchant} ${tenant.mode}`
    print(cleared ? `Cleared the imported ${noun} of ${name}.` : `Nothing was imported for ${name}.`)
  })
}

/** Returns a tenant as the audit log names it. */
export const toAuditTarget = ({ merchant, mode }: Tenant) => ({ merchant, mode })
