import { randomInt } from 'node:crypto'
import { type FitmentFile, type ImportParts, importFitments } from '../../src/fitment/import-fitments.ts'
import type { ImportReport, InvalidLine } from '../../src/fitment/import-report.ts'
import type { Database } from '../../src/storage/database.ts'

export interface TextImportReport extends ImportReport {
  bad: InvalidLine[]
}

export async function* toByteChunks(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text as string)
}

/** Imports a CSV text, by default for acme's sandbox. */
export async function importFitmentText(
  db: Database,
  text: string | Uint8Array | AsyncIterable<Uint8Array>,
  overrides: Partial<FitmentFile> & Partial<Omit<ImportParts, 'db'>> = {},
): Promise<TextImportReport> {
  const bad: InvalidLine[] = []
  const parts = { now: Date.now, random: () => randomInt(1, 2 ** 31 - 1), signal: new AbortController().signal }
  const file = { source: 'fitment.csv', market: '', skipBad: false, dryRun: false }
  const bytes = typeof text === 'string' || text instanceof Uint8Array ? toByteChunks(text) : text
  const report = await importFitments(
    { db, ...parts, onBadLine: (line) => bad.push(line), ...overrides },
    { merchant: 'acme', mode: 'sandbox', ...file, bytes, ...overrides },
  )
  return { ...report, bad }
}
