import { setImmediate as nextTurn } from 'node:timers/promises'
import { referenceCsvHeaderLine, toReferenceCsvRow } from '../../references/reference-csv-row.ts'
import { referenceCsvTemplate } from '../../references/reference-csv-template.ts'
import type { Database } from '../../storage/database.ts'
import {
  listReferenceExportRowsAfter,
  type ReferenceExportPosition,
} from '../../storage/references/reference-export-queries.ts'
import {
  type ReferenceImport,
  type ReferenceImportCounts,
  referenceImports,
} from '../../storage/references/reference-imports.ts'
import { readCommandConfig } from '../command-config.ts'
import { formatCountedNoun } from '../format-counts.ts'
import {
  clearImport,
  exportImport,
  type ImportTenantOptions,
  listImportStatus,
  requireWholeExport,
  toJsonImport,
} from '../imports/imported-data-commands.ts'
import { print, printJson } from '../print.ts'
import type { StoreCommandOptions } from '../with-store.ts'

const EXPORT_PAGE_ROWS = 1_000

export function formatReferenceCounts({
  references,
  skus,
  customers,
  descriptions = 0,
}: ReferenceImportCounts): string {
  const imported = [formatCountedNoun(references, 'reference')]
  if (descriptions > 0) imported.push(formatCountedNoun(descriptions, 'description'))
  return `${imported.join(' and ')}: ${formatCountedNoun(skus, 'SKU')}, ${formatCountedNoun(customers, 'customer')} with numbers of their own`
}

export async function runReferenceStatus(options: StoreCommandOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const rows = await listImportStatus(config, referenceImports)
  if (options.json) return printJson(rows.map(({ imported, ...row }) => ({ ...row, imported: toJsonImport(imported) })))
  for (const { merchant, mode, imported } of rows) {
    const status = imported
      ? `${imported.source}, ${formatReferenceCounts(imported.counts)}, since ${imported.touched_at}`
      : 'nothing imported'
    print(`${merchant} ${mode}: ${status}`)
  }
}

export const runReferenceExport = (options: ImportTenantOptions): Promise<void> =>
  exportImport(options, referenceImports, exportLines)

async function* exportLines(db: Database, { import_id, counts }: ReferenceImport): AsyncGenerator<string> {
  yield referenceCsvHeaderLine
  let after: ReferenceExportPosition | null = null
  let remaining = counts.references
  for (;;) {
    const rows = await listReferenceExportRowsAfter(db, import_id, after, EXPORT_PAGE_ROWS)
    remaining -= rows.length
    if (rows.length > 0) yield rows.map(toReferenceCsvRow).join('\n')
    if (rows.length < EXPORT_PAGE_ROWS) break
    after = rows.at(-1)!
    await nextTurn()
  }
  requireWholeExport(remaining)
}

export const runReferenceClear = (options: ImportTenantOptions): Promise<void> =>
  clearImport(options, referenceImports, 'references')

export const runReferenceTemplate = (): void => print(referenceCsvTemplate)
