import { randomInt } from 'node:crypto'
import { createFitmentCsvFormat } from '../../src/fitment/fitment-csv-format.ts'
import type { FitmentImportReport } from '../../src/fitment/fitment-file-parser.ts'
import { type FitmentFile, type FitmentImportParts, importFitments } from '../../src/fitment/import-fitments.ts'
import type { InvalidLine } from '../../src/imports/import-report.ts'
import type { Database } from '../../src/storage/database.ts'
import { toByteChunks } from './to-byte-chunks.ts'

export interface TextImportReport extends FitmentImportReport {
  bad: InvalidLine[]
}

/** Imports a CSV text, by default for acme's sandbox. */
export async function importFitmentText(
  db: Database,
  text: string | Uint8Array | AsyncIterable<Uint8Array>,
  overrides: Partial<FitmentFile> & { market?: string } & Partial<Omit<FitmentImportParts, 'db'>> = {},
): Promise<TextImportReport> {
  const bad: InvalidLine[] = []
  const parts = { now: Date.now, random: () => randomInt(1, 2 ** 31 - 1), signal: new AbortController().signal }
  const file = {
    source: 'fitment.csv',
    format: createFitmentCsvFormat(overrides.market ?? ''),
    skipBad: false,
    dryRun: false,
  }
  const bytes = typeof text === 'string' || text instanceof Uint8Array ? toByteChunks(text) : text
  const report = await importFitments(
    { db, ...parts, onBadLine: (line) => bad.push(line), ...overrides },
    { merchant: 'acme', mode: 'sandbox', ...file, bytes, ...overrides },
  )
  return { ...report, bad }
}
