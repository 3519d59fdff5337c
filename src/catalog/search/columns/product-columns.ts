import type { DatabaseSync } from 'node:sqlite'
import type { AvailabilityBand } from '../../availability-bands.ts'
import { listIds } from '../id-set.ts'
import { type BoostedValues, type Boosts, MAX_BOOST } from '../order/boosts.ts'
import { foldText } from '../words/tokenizer.ts'
import { toPriceBucket } from './price-buckets.ts'
import { groupByValue, type ProductsByValue } from './products-by-value.ts'
import { createSharedValueReader, type SharedValues } from './shared-values.ts'
import { createValueDictionary, type ValueDictionary } from './value-dictionary.ts'

export const BANDS: readonly AvailabilityBand[] = ['IN_STOCK', 'LOW', 'LEAD_TIME', 'OUT']
/** The band of a product whose stock is unknown. */
export const NO_BAND = BANDS.length

/** The columns that searches filter, count and sort by, in memory. Each has one element per product, by its id. Element 0 is unused. */
export interface Columns {
  /** All ids are lower. */
  readonly size: number
  /** 0: withdrawn, or no product. */
  readonly active: Uint8Array
  /** The index in {@link BANDS}, or `NO_BAND`. */
  readonly band: Uint8Array
  /** NaN: no list price. */
  readonly price: Float64Array
  /** The index in `PRICE_BUCKETS`, or `NO_PRICE`. */
  readonly priceStep: Uint8Array
  /** A code of `brands`. */
  readonly brand: Uint32Array
  /** A code of `categoryLists`: most products share their list with others. */
  readonly categories: Uint32Array
  /** A code of `tagLists`. */
  readonly tags: Uint32Array
  /** Higher comes first. */
  readonly rank: Uint32Array
  readonly universal: Uint8Array
  readonly brands: ValueDictionary<string | null>
  /** Ids, each once. */
  readonly categoryLists: ValueDictionary<readonly string[]>
  readonly tagLists: ValueDictionary<readonly string[]>
  /** Returns the ids of all active products. Callers must not change the array. */
  allActive(): Uint32Array
  /** Returns the ids of all withdrawn products. */
  allWithdrawn(): Uint32Array
  /** Returns the ids of all products that fit every vehicle. */
  allUniversal(): Uint32Array
  /** Returns the active products of each value of a column. */
  byValue(facet: ValueFacet): ProductsByValue
}

/** The facets whose columns have codes of values. */
export type ValueFacet = 'brand' | 'category' | 'tag'

export interface LiveColumns {
  /** Reads the changes of the file. Returns the sequence number of the file. */
  refresh(): number
  /** Reads all columns part by part, until `isOver`. Returns whether all are read. */
  prepare(isOver: () => boolean): boolean
  readonly columns: Columns
  /** The sequence number of the file that they were read from. */
  readonly sequence: number
}

type Row = [
  id: number,
  sequence: number,
  active: number,
  brand: number,
  categories: number,
  tags: number,
  price: number | null,
  band: number,
  popularity: number,
  universal: number,
]

const SELECT = `SELECT id, sequence, active, brand, categories, tags, list_price, band, popularity, universal FROM products`
/** The factor by which the arrays grow, so that not every new product copies them. */
const GROWTH = 1.25
const PAGE = 500

/** `createBoosts`: returns the merchant's boosts of these values. */
export function createLiveColumns(
  database: DatabaseSync,
  createBoosts: (values: BoostedValues) => Boosts,
): LiveColumns {
  const readSequence = database.prepare(`SELECT value FROM state WHERE name = 'sequence'`)
  const readPage = asArrays(database.prepare(`${SELECT} WHERE id > ? ORDER BY id LIMIT ${PAGE}`))
  const readChanged = asArrays(database.prepare(`${SELECT} WHERE sequence > ?1 OR popularity_sequence > ?1`))
  const readLastId = database.prepare('SELECT max(id) AS id FROM products')
  const dictionaries = createDictionaries(createSharedValueReader(database))
  const boosts = createBoosts({
    brand: (code) => dictionaries.brands.values[code]!,
    categories: (code) => dictionaries.categoryLists.values[code]!,
    tags: (code) => dictionaries.tagLists.values[code]!,
  })
  let columns: Columns = { ...allocate(0), ...dictionaries, ...NO_LISTS }
  let sequence = -1
  /** The products up to the id `last` are read, in states of the file at `since` or later. `null`: all are read, or none. */
  let begun: { last: number; since: number } | null = null

  const readFileSequence = () => (readSequence.get() as { value: number } | undefined)?.value ?? 0

  function makeRoom(): number {
    const size = Number((readLastId.get() as { id: number | null }).id ?? 0) + 1
    if (size > columns.active.length) columns = { ...columns, ...grow(columns, Math.ceil(size * GROWTH)) }
    return size
  }

  /** Returns whether all products are read. Reading by pages takes two thirds of the time of an iterator. */
  function readAll(isOver: () => boolean): boolean {
    begun ??= { last: 0, since: readFileSequence() }
    for (;;) {
      const rows = readPage.all(begun.last) as unknown as Row[]
      for (const row of rows) write(columns, boosts, row)
      if (rows.length < PAGE) return true
      begun.last = rows.at(-1)![0]
      if (isOver()) return false
    }
  }

  const readChangesSince = (since: number) => {
    for (const row of readChanged.iterate(since) as Iterable<unknown>) write(columns, boosts, row as Row)
  }

  return {
    get columns() {
      return columns
    },
    get sequence() {
      return sequence
    },
    refresh() {
      const current = readFileSequence()
      if (current === sequence) return sequence
      if (boosts.refresh()) {
        sequence = -1
        begun = null
      }
      const size = makeRoom()
      if (sequence < 0) readAll(() => false)
      const since = begun?.since ?? sequence
      if (since !== current) readChangesSince(since)
      begun = null
      columns = { ...columns, size, ...createLists(columns, size) }
      sequence = current
      return sequence
    },
    prepare(isOver) {
      if (sequence >= 0) return true
      if (boosts.refresh()) begun = null
      makeRoom()
      return readAll(isOver)
    },
  }
}

function createDictionaries(shared: SharedValues) {
  const toCategoryIds = (categories: readonly { category_id: string }[]) =>
    categories.map(({ category_id }) => category_id)
  return {
    brands: createValueDictionary(
      (id) => shared<string | null>(id),
      (brand) => (brand === null ? [] : [foldText(brand)]),
    ),
    categoryLists: createValueDictionary((id) => [...new Set(toCategoryIds(shared(id)))], keep),
    tagLists: createValueDictionary((id) => [...new Set(shared<string[]>(id))], keep),
  }
}

/** A list is found by its members. */
const keep = (members: readonly string[]) => members

const NO_IDS = () => new Uint32Array()
const NO_LISTS = {
  allActive: NO_IDS,
  allWithdrawn: NO_IDS,
  allUniversal: NO_IDS,
  byValue: () => groupByValue(NO_IDS(), NO_IDS(), 0),
}

/** Each list is made when it is used first. */
function createLists(columns: Columns, size: number) {
  const { active, universal } = columns
  const list = (flags: Uint8Array, value: number) => {
    let ids: Uint32Array | undefined
    return () => {
      ids ??= listIds(flags.subarray(0, size), value)
      return ids
    }
  }
  const allActive = list(active, 1)
  const sources = {
    brand: [columns.brand, columns.brands],
    category: [columns.categories, columns.categoryLists],
    tag: [columns.tags, columns.tagLists],
  } as const
  const groups = new Map<ValueFacet, ProductsByValue>()
  return {
    allActive,
    allWithdrawn: list(active, 0),
    allUniversal: list(universal, 1),
    byValue(facet: ValueFacet) {
      const [column, { values }] = sources[facet]
      const known = groups.get(facet) ?? groupByValue(column, allActive(), values.length)
      groups.set(facet, known)
      return known
    },
  }
}

function asArrays(statement: ReturnType<DatabaseSync['prepare']>) {
  statement.setReturnArrays(true)
  return statement
}

function write(columns: Columns, boosts: Boosts, row: Row): void {
  const [id, , active, brand, categories, tags, price, band, popularity, universal] = row
  columns.active[id] = active
  columns.brand[id] = columns.brands.codeOf(brand)
  columns.categories[id] = columns.categoryLists.codeOf(categories)
  columns.tags[id] = columns.tagLists.codeOf(tags)
  columns.price[id] = price ?? Number.NaN
  columns.priceStep[id] = toPriceBucket(price)
  columns.band[id] = band
  const boost = boosts.of(columns.brand[id]!, columns.categories[id]!, columns.tags[id]!)
  columns.rank[id] = toRank(popularity + boost, BANDS[band] ?? null)
  columns.universal[id] = universal
}

/**
 * The most popular products come first; a boost moves a product as if it were that much more popular. Of equally popular ones, available
 * products come before unavailable ones.
 */
const toRank = (popularity: number, band: AvailabilityBand | null): number =>
  (popularity + MAX_BOOST) * 2 + (band === null || band === 'OUT' ? 0 : 1)

type Arrays = Omit<Columns, 'brands' | 'categoryLists' | 'tagLists' | keyof typeof NO_LISTS>

const allocate = (capacity: number): Arrays => ({
  size: 0,
  active: new Uint8Array(capacity),
  band: new Uint8Array(capacity),
  price: new Float64Array(capacity),
  priceStep: new Uint8Array(capacity),
  brand: new Uint32Array(capacity),
  categories: new Uint32Array(capacity),
  tags: new Uint32Array(capacity),
  rank: new Uint32Array(capacity),
  universal: new Uint8Array(capacity),
})

function grow(columns: Columns, capacity: number): Arrays {
  const grown = allocate(capacity)
  for (const name of [
    'active',
    'band',
    'price',
    'priceStep',
    'brand',
    'categories',
    'tags',
    'rank',
    'universal',
  ] as const)
    grown[name].set(columns[name])
  return grown
}
