import { join } from 'node:path'
import { openMirrorForReading, openMirrorForWriting } from '../../src/catalog/mirror/file/mirror-file.ts'
import { createMirrorWriter } from '../../src/catalog/mirror/write/mirror-writer.ts'
import { createSearchEngine } from '../../src/catalog/search/search-engine.ts'
import { quantile, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import { openTrytonSearch } from '../systems/tryton-search.ts'

const ROUNDS = 30
const TITLE = "SEARCH: beside Tryton's own"
const queries = {
  'a SKU': { q: 'PAD-001' },
  'three words': { q: 'COROLLA brake pad' },
  'a common word': { q: 'brake' },
  'the whole catalog': {},
}

/** Runs the same searches in a real Tryton, and in a mirror of its products. */
export async function compareWithTryton(directory: string): Promise<ReportTable> {
  await using tryton = await openTrytonSearch()
  const columns = ['search', 'Forecourt', 'Tryton']
  if (!tryton) {
    const note = 'left out, because no Tryton runs that was started by test/support/tryton/tryton.sh'
    return { title: TITLE, note, columns, rows: [] }
  }
  const path = join(directory, 'tryton.db')
  const writing = openMirrorForWriting(path)
  createMirrorWriter(writing).apply({ sequence: tryton.rows.length, rows: tryton.rows, fill: 'last' })
  writing.close()
  const database = openMirrorForReading(path)!
  const engine = createSearchEngine(database, { reuseMs: 0 })
  let customer = 0
  const rows: string[][] = []
  for (const [name, query] of Object.entries(queries)) {
    // Another customer each time, so that no result is reused.
    const own = await measure(() => engine.search({ ...query, limit: 50, offset: 0, customerId: `${++customer}` }))
    const other = await measure(() => tryton.search(query))
    rows.push([name, `${round(own, 3)}`, `${round(other, 1)} (${round(other / own, 0)}x)`])
  }
  database.close()
  const note = `p50 in ms, and its ratio; a page of 50 of ${tryton.rows.length} products, from Tryton with their details over HTTP`
  return { title: TITLE, note, columns, rows }
}

async function measure(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  return quantile(times, 0.5)
}
