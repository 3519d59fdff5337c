import { fitmentImports } from '../../../src/storage/fitment/fitment-imports.ts'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import type { OutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()
const DAY_MS = 24 * 60 * MINUTE_MS

/** An import of fitment with wrong years is refused. Two weeks before, one succeeded. */
export async function recordRefusedImport({ db, clock }: OutageConsole): Promise<void> {
  const loaded = { import_id: clock.ms % 1_000_000, source: 'fitment-october.csv', at: iso(clock.ms - 14 * DAY_MS) }
  await fitmentImports.create(db, TENANT, loaded)
  const { import_id, at: loadedAt } = loaded
  const replaces = (await fitmentImports.findCurrent(db, TENANT))?.import_id ?? null
  const counts = { vehicles: 40, skus: 12, fitments: 85, universal: 5 }
  await fitmentImports.activate(db, TENANT, { import_id, replaces, counts, at: loadedAt })
  const bad = Array.from({ length: 10 }, (_, index) => ({
    ...{ line: 3 + index, mistake: `year "20I${index}" is not a year from 1900 to 2100, or a range of them` },
  }))
  const file = { source: 'fitment.csv', outcome: 'refused', lines: 90, badLines: 14, bad, account: 'deploy' }
  const command = { operator: 'command line', role: 'command', address: null, outcome: 'failed' } as const
  const target = { ...TENANT, ...file }
  await writeAuditEntry(db, { ...command, action: 'fitment.import', target }, clock.ms)
}
