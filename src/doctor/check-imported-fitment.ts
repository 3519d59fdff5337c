import { forecourtCommand } from '../installed-command-line.ts'
import type { Tenant } from '../tenant.ts'
import { guardDefaults } from '../upstream/guard/guard.ts'
import type { OperationRow } from './diagnosis.ts'

/** Describes the imported fitment in one line; `null`: there is none. Rejects when the store cannot be read. */
export type ImportedFitmentReader = () => Promise<string | null>

/** The row for fitment that `forecourt fitment import` wrote to our own store: no system is called. */
export async function checkImportedFitment(
  readImportedFitment: ImportedFitmentReader,
  { merchant, mode }: Tenant,
): Promise<OperationRow> {
  const row = { system: 'fitment', operation: 'imported', latency: null, limitMs: guardDefaults.timeoutMs } as const
  try {
    const finding = await readImportedFitment()
    if (finding !== null) return { ...row, result: 'ok', finding, remedy: null }
    const remedy = `Import a file: forecourt fitment import <file> --merchant ${merchant} --mode ${mode}`
    return { ...row, result: 'warning', finding: 'nothing is imported: the API shows no vehicles', remedy }
  } catch (error) {
    const remedy = `Check the setting store in the configuration; ${forecourtCommand} migrate creates missing tables`
    return { ...row, result: 'failed', finding: (error as Error).message, remedy }
  }
}
