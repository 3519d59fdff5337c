import { randomInt } from 'node:crypto'
import type { InvalidLine } from '../../src/imports/import-report.ts'
import {
  importReferences,
  type ReferenceFile,
  type ReferenceImportParts,
} from '../../src/references/import-references.ts'
import { createReferenceCsvFormat } from '../../src/references/reference-csv-format.ts'
import type { Database } from '../../src/storage/database.ts'
import { toByteChunks } from './to-byte-chunks.ts'

/** Imports a file of references, by default CSV for acme's sandbox. */
export async function importReferenceText(
  db: Database,
  text: string | Uint8Array | AsyncIterable<Uint8Array>,
  overrides: Partial<ReferenceFile> & Partial<Omit<ReferenceImportParts, 'db'>> = {},
) {
  const bad: InvalidLine[] = []
  const parts = { now: Date.now, random: () => randomInt(1, 2 ** 31 - 1), signal: new AbortController().signal }
  const format = overrides.format ?? createReferenceCsvFormat()
  const file = { source: 'references.csv', skipBad: false, dryRun: false, format }
  const bytes = typeof text === 'string' || text instanceof Uint8Array ? toByteChunks(text) : text
  const report = await importReferences(
    { db, ...parts, onBadLine: (line) => bad.push(line), ...overrides },
    { merchant: 'acme', mode: 'sandbox', ...file, bytes, ...overrides },
  )
  return { ...report, bad }
}
