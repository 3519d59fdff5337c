import { setImmediate as breath } from 'node:timers/promises'
import type { Mode } from '../../config/config.ts'
import { csvHeaderLine, csvTemplate, toCsvRow } from '../../fitment/csv-writer.ts'
import type { Database } from '../../storage/database.ts'
import { listFitmentExportRowsAfter } from '../../storage/fitment/fitment-export-rows.ts'
import {
  deactivateFitmentImport,
  type FitmentImport,
  type FitmentOwner,
  findCurrentFitmentImport,
  listCurrentFitmentImports,
} from '../../storage/fitment/fitment-imports.ts'
import { transact } from '../../storage/transact.ts'
import { auditCommand } from '../command-audit.ts'
import { isFitmentImported, readCommandConfig, requireTenant } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, requireStore, withStore } from '../with-store.ts'

export interface FitmentStoreOptions {
  config?: string
  json?: boolean
}

export interface FitmentTenantOptions extends FitmentStoreOptions {
  merchant: string
  mode: string
}

const PAGE = 1_000
const modes: readonly Mode[] = ['live', 'sandbox']

export async function runFitmentStatus(options: FitmentStoreOptions): Promise<void> {
  const at = readCommandConfig(options.config)
  const imports = hasStore(at.store) ? await withStore(at.store, listCurrentFitmentImports) : []
  const rows = at.merchants.flatMap((merchant) =>
    modes.map((mode) => {
      const found = imports.find((one) => one.tenant_id === merchant && one.mode === mode)
      return { merchant, mode, shown: isFitmentImported(at.of(merchant), mode), imported: found ?? null }
    }),
  )
  if (options.json) return printJson(rows.map(({ imported, ...row }) => ({ ...row, imported: published(imported) })))
  for (const { merchant, mode, shown, imported } of rows)
    print(
      `${merchant} ${mode}: ${imported ? describeFitmentImport(imported) : 'nothing imported'}${noteOf(shown, imported)}`,
    )
}

export async function runFitmentExport(options: FitmentTenantOptions): Promise<void> {
  const at = readCommandConfig(options.config)
  const owner = requireTenant(at, options.merchant, options.mode)
  requireStore(at.store)
  await withStore(at.store, async (db) => {
    const current = await findCurrentFitmentImport(db, owner)
    if (!current) throw new UsageError(`Nothing is imported for ${options.merchant} ${options.mode}`)
    const lines: string[] = []
    for await (const line of exported(db, current)) {
      if (options.json) lines.push(line)
      else await written(`${line}\n`)
    }
    if (options.json) printJson({ csv: lines.join('\n') })
  })
}

async function* exported(db: Database, { import_id, counts }: FitmentImport): AsyncGenerator<string> {
  yield csvHeaderLine
  let after = { vehicle_id: -1, sku: '' }
  let left = counts.fitments + counts.universal
  for (;;) {
    const rows = await listFitmentExportRowsAfter(db, import_id, after, PAGE)
    left -= rows.length
    if (rows.length > 0) yield rows.map(toCsvRow).join('\n')
    if (rows.length < PAGE) break
    after = rows.at(-1)!
    await breath()
  }
  // What is no longer in force is deleted after a minute, and whoever reads slowly takes longer.
  if (left > 0) throw new Error(`${left} rows are gone: another import took its place meanwhile. Export again`)
}

async function written(text: string): Promise<void> {
  if (process.stdout.write(text)) return
  await new Promise((resolve) => process.stdout.once('drain', resolve))
}

export async function runFitmentClear(options: FitmentTenantOptions): Promise<void> {
  const at = readCommandConfig(options.config)
  const owner = requireTenant(at, options.merchant, options.mode)
  requireStore(at.store)
  const cleared = await withStore(at.store, (db) =>
    transact(db, async (all) => {
      const ended = await deactivateFitmentImport(all, owner, new Date().toISOString())
      if (ended) await auditCommand(all, 'fitment.clear', toAuditTarget(owner))
      return ended
    }),
  )
  if (options.json) return printJson({ cleared })
  const name = `${options.merchant} ${options.mode}`
  print(cleared ? `What was imported for ${name} is forgotten.` : `Nothing was imported for ${name}.`)
}

/** As the audit log names whose it is. */
export const toAuditTarget = ({ tenant_id, mode }: FitmentOwner) => ({ merchant: tenant_id, mode })

export const runFitmentTemplate = (): void => print(csvTemplate)

/** What a person wants to know of an import. */
export function describeFitmentImport({
  source,
  counts,
  touched_at,
}: Pick<FitmentImport, 'source' | 'counts' | 'touched_at'>) {
  return `${source}, ${formatFitmentCounts(counts)}, since ${touched_at}`
}

export const formatFitmentCounts = ({ fitments, skus, vehicles, universal }: FitmentImport['counts']): string =>
  `${formatCountedNoun(fitments, 'fitment')} and ${formatCountedNoun(universal, 'universal part')}: ${formatCountedNoun(skus, 'SKU')}, ${formatCountedNoun(vehicles, 'vehicle')}`

export const formatThousands = (count: number): string => count.toLocaleString('en')
/** So many of a thing. */
export const formatCountedNoun = (count: number, thing: string): string =>
  `${formatThousands(count)} ${thing}${count === 1 ? '' : 's'}`

function noteOf(shown: boolean, imported: FitmentImport | null): string {
  if (shown) return imported ? '' : ' (fitment: imported is configured: no vehicles are shown)'
  return imported ? ' (not shown: the configuration does not say fitment: imported)' : ''
}

const published = (of: FitmentImport | null) => of && { source: of.source, counts: of.counts, since: of.touched_at }
