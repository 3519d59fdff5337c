import { DatabaseSync } from 'node:sqlite'
import { openMirrorForReading } from '../../src/catalog/mirror/file/mirror-file.ts'
import { PACKED_COLUMNS, type PackedProduct, unpackProduct } from '../../src/catalog/mirror/file/packed-product.ts'
import type { StoredReference } from '../../src/catalog/mirror/index/product-index-keys.ts'
import { createSharedValueReader } from '../../src/catalog/search/columns/shared-values.ts'
import { createSearchEngine } from '../../src/catalog/search/search-engine.ts'
import { normalizeNumber } from '../../src/ports/normalize-number.ts'
import { quantile, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import { type ComparedRow, openPostgresSearch } from '../systems/postgres-search.ts'

const ROUNDS = 20
const WORDS = ['rear', 'oil', 'filter']

type Queries = Record<keyof typeof kinds, () => unknown>
const kinds = {
  number: 'an exact number',
  page: 'a page of 50 by three words',
  total: 'the total of a common word',
  brand: 'a common word by brand',
}

/** Runs the same searches on the same rows: this search, SQLite with bm25, and PostgreSQL. */
export async function compareSearch(path: string): Promise<ReportTable> {
  const times: Record<string, Record<string, number>> = {}
  const database = openMirrorForReading(path)!
  times.Forecourt = await measure(queryForecourt(database))
  using sqlite = fillSqlite(readRows(database))
  times['SQLite, bm25'] = await measure(querySqlite(sqlite))
  const url = process.env.FORECOURT_TEST_POSTGRES
  if (url) {
    await using postgres = await openPostgresSearch(url, readRows(database))
    times['PostgreSQL, tsvector'] = await measure(postgres.byWords(WORDS))
    times['PostgreSQL, pg_trgm'] = await measure(postgres.byTrigrams(WORDS))
  }
  database.close()
  const names = Object.keys(times)
  const rows = Object.entries(kinds).map(([kind, title]) => [
    title,
    ...names.map((name) => toCell(times[name]![kind]!, times.Forecourt![kind]!)),
  ])
  const note = url ? '' : '; without PostgreSQL, because FORECOURT_TEST_POSTGRES is not set'
  return {
    title: 'SEARCH: side by side',
    note: `p50 in ms, and its ratio to Forecourt${note}`,
    columns: ['search', ...names],
    rows,
  }
}

const toCell = (ms: number, own: number): string => `${round(ms, 3)} (${round(ms / own, 1)}x)`

/** Each search has another customer, so that no result is reused. */
function queryForecourt(database: DatabaseSync): Queries {
  const engine = createSearchEngine(database, { reuseMs: 0 })
  let customer = 0
  const search = (q: string, facets: 'brand'[] = []) => {
    customer += 1
    return engine.search({ q, limit: 50, offset: 0, facets, customerId: `${customer}` })
  }
  return {
    number: () => search('M7919'),
    page: () => search(WORDS.join(' ')),
    total: () => search('brake'),
    brand: () => search('brake', ['brand']),
  }
}

function* readRows(database: DatabaseSync): Generator<ComparedRow> {
  const shared = createSharedValueReader(database)
  const rows = database.prepare(`SELECT id, numbers, ${PACKED_COLUMNS} FROM products WHERE active = 1`).iterate()
  for (const row of rows as Iterable<unknown> as Iterable<PackedProduct & { id: number; numbers: string }>) {
    const { sku, name, brand, mpn, barcode, description, categories } = unpackProduct(row, shared).product
    const written = (JSON.parse(row.numbers) as StoredReference[]).map(([, , number]) => number)
    const numbers = [sku, mpn, barcode, ...written].map((number) => normalizeNumber(number ?? ''))
    const names = categories.map((category) => category.name)
    yield { id: row.id, brand: brand!, text: [name, brand, ...names, description, ...numbers].join(' ') }
  }
}

function fillSqlite(rows: Iterable<ComparedRow>): DatabaseSync {
  const database = new DatabaseSync('')
  database.exec('CREATE TABLE brands (id INTEGER PRIMARY KEY, brand TEXT)')
  database.exec(`CREATE VIRTUAL TABLE parts USING fts5 (text, content='', tokenize='unicode61'); BEGIN`)
  const words = database.prepare('INSERT INTO parts (rowid, text) VALUES (?, ?)')
  const brands = database.prepare('INSERT INTO brands (id, brand) VALUES (?, ?)')
  for (const { id, brand, text } of rows) {
    words.run(id, text)
    brands.run(id, brand)
  }
  database.exec('COMMIT')
  return database
}

function querySqlite(database: DatabaseSync): Queries {
  const page = database.prepare('SELECT rowid FROM parts WHERE parts MATCH ? ORDER BY rank LIMIT 50')
  const total = database.prepare('SELECT count(*) FROM parts WHERE parts MATCH ?')
  const brand = database.prepare(
    'SELECT brand, count(*) FROM brands WHERE id IN (SELECT rowid FROM parts WHERE parts MATCH ?) GROUP BY brand',
  )
  return {
    number: () => page.all('m7919'),
    page: () => page.all(WORDS.join(' ')),
    total: () => total.get('brake'),
    brand: () => brand.all('brake'),
  }
}

/** Returns the median time of each search. */
async function measure(queries: Queries): Promise<Record<string, number>> {
  const medians: Record<string, number> = {}
  for (const [kind, run] of Object.entries(queries)) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now()
      await run()
      times.push(performance.now() - startedAt)
    }
    medians[kind] = quantile(times, 0.5)
  }
  return medians
}
