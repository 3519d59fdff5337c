import { randomInt } from 'node:crypto'
import { type FitmentFile, type ImportParts, importFitments } from '../../src/fitment/import-fitments.ts'
import type { BadLine, ImportReport } from '../../src/fitment/import-report.ts'
import type { Database } from '../../src/storage/database.ts'

export interface Imported extends ImportReport {
  bad: BadLine[]
}

export async function* bytesOf(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string)
}

/** Imports a text, for acme's sandbox unless it is said otherwise. */
export async function importText(
  db: Database,
  text: string | Uint8Array | AsyncIterable<Uint8Array>,
  given: Partial<FitmentFile> & Partial<Omit<ImportParts, 'db'>> = {},
): Promise<Imported> {
  const bad: BadLine[] = []
  const parts = { now: Date.now, random: () => randomInt(1, 2 ** 31 - 1), signal: new AbortController().signal }
  const file = { source: 'fitment.csv', market: '', skipBad: false, dryRun: false }
  const bytes = typeof text === 'string' || text instanceof Uint8Array ? bytesOf(text) : text
  const report = await importFitments(
    { db, ...parts, onBadLine: (one) => bad.push(one), ...given },
    { tenant_id: 'acme', mode: 'sandbox', ...file, bytes, ...given },
  )
  return { ...report, bad }
}
