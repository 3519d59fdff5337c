import { randomInt } from 'node:crypto'
import { formatCsvLine } from '../../imports/format-csv-line.ts'
import { ImportInProgressError } from '../../imports/import-lease.ts'
import { importReferences } from '../../references/import-references.ts'
import { referenceColumnNames } from '../../references/reference-columns.ts'
import { createReferenceCsvFormat } from '../../references/reference-csv-format.ts'
import type { Database } from '../../storage/database.ts'
import { referenceImports } from '../../storage/references/reference-imports.ts'

const tenant = { merchant: 'demo', mode: 'sandbox' } as const

/** Imports references for the demo's products, unless there are some: a user may have imported a file. */
export async function ensureDemoReferences(db: Database): Promise<void> {
  if (await referenceImports.findCurrent(db, tenant)) return
  const random = () => randomInt(1, 2 ** 31 - 1)
  const parts = { db, now: Date.now, random, signal: new AbortController().signal, onBadLine() {} }
  const file = { source: 'demo references', bytes: readDemoFile(), skipBad: false, dryRun: false }
  try {
    await importReferences(parts, { ...tenant, ...file, format: createReferenceCsvFormat() })
  } catch (error) {
    // The demo was killed while it imported them: its next start does.
    if (!(error instanceof ImportInProgressError)) throw error
  }
}

async function* readDemoFile(): AsyncGenerator<Uint8Array> {
  const { generateReferences } = await import('../../../fixtures/references.ts')
  const rows = generateReferences().map((reference) =>
    formatCsvLine(referenceColumnNames.map((name) => reference[name])),
  )
  yield Buffer.from([formatCsvLine(referenceColumnNames), ...rows].join('\n'))
}
