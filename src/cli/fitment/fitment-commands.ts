import { setImmediate as nextTurn } from 'node:timers/promises'
import { fitmentCsvHeaderLine, toFitmentCsvRow } from '../../fitment/fitment-csv-row.ts'
import { fitmentCsvTemplate } from '../../fitment/fitment-csv-template.ts'
import type { Database } from '../../storage/database.ts'
import { listFitmentExportRowsAfter } from '../../storage/fitment/fitment-export-queries.ts'
import { type FitmentImport, fitmentImports } from '../../storage/fitment/fitment-imports.ts'
import { readCommandConfig } from '../command-config.ts'
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
import { describeImportedFitment } from './describe-imported-fitment.ts'
import { usesImportedFitment } from './uses-imported-fitment.ts'

const EXPORT_PAGE_ROWS = 1_000

export async function runFitmentStatus(options: StoreCommandOptions): Promise<void> {
  const config = readCommandConfig(options.config)
  const rows = (await listImportStatus(config, fitmentImports)).map((row) => ({
    ...row,
    shown: usesImportedFitment(config.merchantConfig(row.merchant), row.mode),
  }))
  if (options.json) return printJson(rows.map(({ imported, ...row }) => ({ ...row, imported: toJsonImport(imported) })))
  for (const { merchant, mode, shown, imported } of rows) {
    const status = imported ? describeImportedFitment(imported) : 'nothing imported'
    print(`${merchant} ${mode}: ${status}${statusWarning(shown, imported)}`)
  }
}

function statusWarning(isShown: boolean, imported: FitmentImport | null): string {
  if (isShown && !imported) return ' (the configuration has fitment: imported, so storefronts see no vehicles)'
  if (!isShown && imported)
    return ' (storefronts do not see it, because the configuration does not have fitment: imported)'
  return ''
}

export const runFitmentExport = (options: ImportTenantOptions): Promise<void> =>
  exportImport(options, fitmentImports, exportLines)

async function* exportLines(db: Database, { import_id, counts }: FitmentImport): AsyncGenerator<string> {
  yield fitmentCsvHeaderLine
  let after = { vehicle_id: -1, sku: '' }
  let remaining = counts.fitments + counts.universal
  for (;;) {
    const rows = await listFitmentExportRowsAfter(db, import_id, after, EXPORT_PAGE_ROWS)
    remaining -= rows.length
    if (rows.length > 0) yield rows.map(toFitmentCsvRow).join('\n')
    if (rows.length < EXPORT_PAGE_ROWS) break
    after = rows.at(-1)!
    await nextTurn()
  }
  requireWholeExport(remaining)
}

export const runFitmentClear = (options: ImportTenantOptions): Promise<void> =>
  clearImport(options, fitmentImports, 'fitment')

export const runFitmentTemplate = (): void => print(fitmentCsvTemplate)
