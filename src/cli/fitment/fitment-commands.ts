import { setImmediate as breath } from 'node:timers/promises'
import type { Mode } from '../../config/config.ts'
import { csvRow, headLine, template } from '../../fitment/csv-writer.ts'
import type { Database } from '../../storage/database.ts'
import { fitmentsAfter } from '../../storage/fitment/fitment-export-rows.ts'
import {
  currentImport,
  currentImports,
  endCurrent,
  type FitmentImport,
  type FitmentOwner,
} from '../../storage/fitment/fitment-imports.ts'
import { transact } from '../../storage/transact.ts'
import { note } from '../command-audit.ts'
import { configured, isImported, ownerOf } from '../command-config.ts'
import { print, printJson } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { hasStore, mustHaveStore, withStore } from '../with-store.ts'

export interface StoreOptions {
  config?: string
  json?: boolean
}

export interface OwnerOptions extends StoreOptions {
  merchant: string
  mode: string
}

const PAGE = 1_000
const modes: readonly Mode[] = ['live', 'sandbox']

export async function fitmentStatus(options: StoreOptions): Promise<void> {
  const at = configured(options.config)
  const imports = hasStore(at.store) ? await withStore(at.store, currentImports) : []
  const rows = at.merchants.flatMap((merchant) =>
    modes.map((mode) => {
      const found = imports.find((one) => one.tenant_id === merchant && one.mode === mode)
      return { merchant, mode, shown: isImported(at.of(merchant), mode), imported: found ?? null }
    }),
  )
  if (options.json) return printJson(rows.map(({ imported, ...row }) => ({ ...row, imported: published(imported) })))
  for (const { merchant, mode, shown, imported } of rows)
    print(`${merchant} ${mode}: ${imported ? described(imported) : 'nothing imported'}${noteOf(shown, imported)}`)
}

export async function exportFitment(options: OwnerOptions): Promise<void> {
  const at = configured(options.config)
  const owner = ownerOf(at, options.merchant, options.mode)
  mustHaveStore(at.store)
  await withStore(at.store, async (db) => {
    const current = await currentImport(db, owner)
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
  yield headLine
  let after = { vehicle_id: -1, sku: '' }
  let left = counts.fitments + counts.universal
  for (;;) {
    const rows = await fitmentsAfter(db, import_id, after, PAGE)
    left -= rows.length
    if (rows.length > 0) yield rows.map(csvRow).join('\n')
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

export async function clearFitment(options: OwnerOptions): Promise<void> {
  const at = configured(options.config)
  const owner = ownerOf(at, options.merchant, options.mode)
  mustHaveStore(at.store)
  const cleared = await withStore(at.store, (db) =>
    transact(db, async (all) => {
      const ended = await endCurrent(all, owner, new Date().toISOString())
      if (ended) await note(all, 'fitment.clear', ofMerchant(owner))
      return ended
    }),
  )
  if (options.json) return printJson({ cleared })
  const name = `${options.merchant} ${options.mode}`
  print(cleared ? `What was imported for ${name} is forgotten.` : `Nothing was imported for ${name}.`)
}

/** As the audit log names whose it is. */
export const ofMerchant = ({ tenant_id, mode }: FitmentOwner) => ({ merchant: tenant_id, mode })

export const printTemplate = (): void => print(template)

/** What a person wants to know of an import. */
export function described({ source, counts, touched_at }: Pick<FitmentImport, 'source' | 'counts' | 'touched_at'>) {
  return `${source}, ${counted(counts)}, since ${touched_at}`
}

export const counted = ({ fitments, skus, vehicles, universal }: FitmentImport['counts']): string =>
  `${many(fitments, 'fitment')} and ${many(universal, 'universal part')}: ${many(skus, 'SKU')}, ${many(vehicles, 'vehicle')}`

export const grouped = (count: number): string => count.toLocaleString('en')
/** So many of a thing. */
export const many = (count: number, thing: string): string => `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`

function noteOf(shown: boolean, imported: FitmentImport | null): string {
  if (shown) return imported ? '' : ' (fitment: imported is configured: no vehicles are shown)'
  return imported ? ' (not shown: the configuration does not say fitment: imported)' : ''
}

const published = (of: FitmentImport | null) => of && { source: of.source, counts: of.counts, since: of.touched_at }
