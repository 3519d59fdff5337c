import { guardDefaults } from '../upstream/guard.ts'
import type { OperationRow } from './diagnosis.ts'

/** What was imported, in words; `null`: nothing. Rejects when the store cannot be read. */
export type ImportedFitmentSummary = () => Promise<string | null>

/** One row for fitment that `forecourt fitment import` keeps in our own store: no system is asked. */
export async function checkImportedFitment(
  imported: ImportedFitmentSummary,
  owner: { merchant: string; mode: string },
): Promise<OperationRow> {
  const row = { system: 'fitment', operation: 'imported', latency: null, limitMs: guardDefaults.timeoutMs } as const
  try {
    const finding = await imported()
    if (finding !== null) return { ...row, result: 'ok', finding, remedy: null }
    const remedy = `Import a file: forecourt fitment import <file> --merchant ${owner.merchant} --mode ${owner.mode}`
    return { ...row, result: 'warning', finding: 'nothing is imported: no vehicles are shown', remedy }
  } catch (error) {
    const remedy = 'Look at store in the configuration; forecourt migrate brings its tables up to date'
    return { ...row, result: 'failed', finding: (error as Error).message, remedy }
  }
}
