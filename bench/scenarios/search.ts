import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirrorForReading, openMirrorForWriting } from '../../src/catalog/mirror/file/mirror-file.ts'
import { createSnapshotReads } from '../../src/catalog/mirror/file/snapshot-reads.ts'
import { createMirrorWriter } from '../../src/catalog/mirror/write/mirror-writer.ts'
import { createSearchEngine, type SearchEngine } from '../../src/catalog/search/search-engine.ts'
import { FACETS, type SearchRequest } from '../../src/catalog/search/search-request.ts'
import { quantile, round } from '../measure/statistics.ts'
import { type ReportTable, toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { createSearchCatalog } from '../systems/search-catalog.ts'
import { compareSearch } from './search-comparison.ts'
import { compareWithTryton } from './tryton-search-comparison.ts'

const ROUNDS = 50
const PAGE = { limit: 50, offset: 0 }

const queries: Record<string, Partial<SearchRequest>> = {
  'a number': { q: 'M-7919' },
  'three words': { q: 'rear oil filters' },
  'a common word': { q: 'brake' },
  'a common word, five facets': { q: 'brake', facets: FACETS },
  'the whole catalog, five facets': { facets: FACETS },
  'a category, five facets': { categories: ['category-3'], facets: FACETS },
  'a common word by price': { q: 'brake', sort: 'price' },
  'a common word by name': { q: 'brake', sort: 'name' },
  'offset 10,000': { q: 'brake', offset: 10_000 },
  'offset 100,000': { offset: 100_000 },
  'a vehicle in words': { q: 'make3 model3 2001 brake pad' },
  'a year in words': { q: 'brake pad 2001' },
  'a misspelt word': { q: 'rear brakke' },
  'digits that no number has': { q: '987654321' },
}

const typed = ['b', 'brake', 'rear oil f', 'm79', 'make3 mod', 'rear brakk', '20w50', '987654321']

/** SEARCH: filling a mirror, and searching it in this process, on a seeded catalog of spare parts. */
export async function measureSearch({ short, ...options }: ScenarioOptions): Promise<ScenarioResult> {
  const products = options.products ?? (short ? 20_000 : 200_000)
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-search-'))
  try {
    const path = join(directory, 'mirror.db')
    const build = fill(path, products)
    const { table, figures } = search(path)
    const comparison = await compareSearch(path)
    const tryton = await compareWithTryton(directory)
    const title = `SEARCH: filling a mirror with ${products} products`
    return {
      name: 'search',
      tables: [toFiguresTable(title, build, 'one thread'), table, comparison, tryton],
      figures: { build, ...figures },
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function fill(path: string, products: number) {
  const database = openMirrorForWriting(path)
  const writer = createMirrorWriter(database)
  const catalog = createSearchCatalog({
    products,
    vehicles: products / (products < 1_000_000 ? 40 : 20),
    fitsPerProduct: 5,
  })
  writer.apply({ sequence: 1, categories: catalog.categories, vehicles: catalog.vehicles })
  let cpuUs = 0
  for (const rows of catalog.batches()) {
    const before = process.cpuUsage()
    const { sequence } = rows.at(-1)!
    writer.apply({ sequence, rows, fill: sequence < products ? 'part' : 'last' })
    const { user, system } = process.cpuUsage(before)
    cpuUs += user + system
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return { cpuUsPerProduct: round(cpuUs / products), fileMib: round(statSync(path).size / 1_024 ** 2) }
}

function search(path: string): { table: ReportTable; figures: Record<string, object> } {
  const database = openMirrorForReading(path)!
  const startedAt = performance.now()
  // Nothing is reused: each search is a new one.
  const { search, suggest, ...others } = createSearchEngine(database, { reuseMs: 0 })
  // As in the thread of a server.
  const inSnapshot = createSnapshotReads(database)
  const engine: SearchEngine = {
    ...others,
    search: (request) => inSnapshot(() => search(request)),
    suggest: (request) => inSnapshot(() => suggest(request)),
  }
  engine.search({ ...PAGE, q: 'warm' })
  const loadMs = round(performance.now() - startedAt)
  const figures: Record<string, object> = {}
  for (const [name, query] of Object.entries(queries)) figures[name] = measure(engine.search, query)
  for (const text of typed) figures[`typing "${text}"`] = measureSuggestions(engine.suggest, text)
  database.close()
  const rssMib = round(process.memoryUsage().rss / 1_024 ** 2, 0)
  const rows = Object.entries(figures).map(([name, one]) => [name, ...Object.values(one)])
  const note = `medians and maxima of ${ROUNDS}; the first search read the columns in ${loadMs} ms; ${rssMib} MiB of resident memory at the end`
  const columns = ['search', 'products', 'new: p50 ms', 'new: max ms', 'again: p50 ms']
  return { table: { title: 'SEARCH: a page of 50 with its total', note, columns, rows }, figures }
}

function measure(run: SearchEngine['search'], query: Partial<SearchRequest>) {
  const times: { fresh: number[]; again: number[] } = { fresh: [], again: [] }
  let total = 0
  for (let number = 0; number < ROUNDS; number++) {
    // Another key in each round, so that no result is reused.
    const request = { ...PAGE, ...query, round: number }
    for (const list of [times.fresh, times.again]) {
      const startedAt = performance.now()
      total = run(request).total
      list.push(performance.now() - startedAt)
    }
  }
  const p50 = (list: number[]) => round(quantile(list, 0.5), 3)
  return { total, p50Ms: p50(times.fresh), maxMs: round(Math.max(...times.fresh), 3), againP50Ms: p50(times.again) }
}

function measureSuggestions(run: SearchEngine['suggest'], text: string) {
  const times = Array.from({ length: ROUNDS * 2 }, (_, number) => {
    const startedAt = performance.now()
    run({ text, limit: 8, customerId: `${number >> 1}` })
    return performance.now() - startedAt
  })
  const [fresh, again] = [0, 1].map((turn) => times.filter((_, number) => number % 2 === turn))
  const p50 = (list: number[]) => round(quantile(list, 0.5), 3)
  return { total: '', p50Ms: p50(fresh!), maxMs: round(Math.max(...fresh!), 3), againP50Ms: p50(again!) }
}
