import type { DatabaseSync } from 'node:sqlite'
import type { AvailabilityBand } from '../../availability-bands.ts'
import { type BoostedValues, type Boosts, MAX_BOOST } from '../order/boosts.ts'
import { toPriceBucket } from './price-buckets.ts'
import { BANDS, type Columns, createColumns, growColumns, withLists } from './product-columns.ts'
import { createSharedValueReader } from './shared-values.ts'

/** The columns of a mirror file, which follow its changes. */
export interface LiveColumns {
  /** Reads what the columns lack, part by part, until `isOver`. Returns whether the columns have everything in the file. */
  refresh(isOver?: () => boolean): boolean
  readonly columns: Columns
  /** The sequence number of the file when the columns last had everything in it. */
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
  popularitySequence: number | null,
]

/** The position of the last change that was read: a sequence number, and the last product id among the changes with that number. */
interface Position {
  sequence: number
  id: number
}

const SELECT = `SELECT id, sequence, active, brand, categories, tags, list_price, band, popularity, universal, popularity_sequence FROM products`
/** The factor by which the arrays grow, so that not every new product copies them. */
const GROWTH = 1.25
/** A page takes less than a millisecond. Reading by pages takes two thirds of the time of an iterator. */
const PAGE = 500
const endOf = (sequence: number): Position => ({ sequence, id: Number.MAX_SAFE_INTEGER })

/** `createBoosts`: returns the merchant's boosts of these values. */
export function createLiveColumns(
  database: DatabaseSync,
  createBoosts: (values: BoostedValues) => Boosts,
): LiveColumns {
  const readSequence = database.prepare(`SELECT value FROM state WHERE name = 'sequence'`)
  const readLastId = database.prepare('SELECT max(id) AS id FROM products')
  const readProducts = asArrays(database.prepare(`${SELECT} WHERE id > ? ORDER BY id LIMIT ${PAGE}`))
  const readChanges = asArrays(database.prepare(selectAfter('sequence')))
  const readPopularityChanges = asArrays(database.prepare(selectAfter('popularity_sequence')))
  let columns = createColumns(createSharedValueReader(database))
  const { brands, categoryLists, tagLists } = columns
  const boosts = createBoosts({
    brand: (code) => brands.values[code]!,
    categories: (code) => categoryLists.values[code]!,
    tags: (code) => tagLists.values[code]!,
  })
  let sequence = -1
  /** The id up to which the products have been read; `null`: the first reading of all products has ended. */
  let lastId: number | null = 0
  /** The positions up to which the changes, and the changes of popularity only, have been read; `null`: nothing has been read. */
  let changePosition: Position | null = null
  let popularityPosition: Position | null = null

  const readFileSequence = () => (readSequence.get() as { value: number } | undefined)?.value ?? 0

  function readAgain(): void {
    sequence = -1
    lastId = 0
    changePosition = null
    popularityPosition = null
  }

  /** Returns the first id that no product has. */
  function makeRoom(): number {
    const size = Number((readLastId.get() as { id: number | null }).id ?? 0) + 1
    if (size > columns.active.length) columns = growColumns(columns, Math.ceil(size * GROWTH))
    return size
  }

  /** Writes pages of rows until one is the last, and returns true, or until `isOver`. */
  function readPages(readPage: () => Row[], isOver: () => boolean): boolean {
    for (;;) {
      const rows = readPage()
      for (const row of rows) write(columns, boosts, row)
      if (rows.length < PAGE) return true
      if (isOver()) return false
    }
  }

  const readProductPage = () => {
    const rows = readProducts.all(lastId) as unknown as Row[]
    lastId = rows.at(-1)?.[0] ?? lastId
    return rows
  }
  const readChangePage = () => {
    const rows = readChanges.all(changePosition!.sequence, changePosition!.id) as unknown as Row[]
    const last = rows.at(-1)
    if (last) changePosition = { sequence: last[1], id: last[0] }
    return rows
  }
  const readPopularityPage = () => {
    const rows = readPopularityChanges.all(popularityPosition!.sequence, popularityPosition!.id) as unknown as Row[]
    const last = rows.at(-1)
    if (last) popularityPosition = { sequence: last[10]!, id: last[0] }
    return rows
  }

  /** Reads the products of the file, and then what has changed meanwhile. */
  function readRest(isOver: () => boolean): boolean {
    changePosition ??= endOf(readFileSequence())
    popularityPosition ??= changePosition
    if (lastId !== null && !readPages(readProductPage, isOver)) return false
    lastId = null
    return readPages(readChangePage, isOver) && readPages(readPopularityPage, isOver)
  }

  return {
    get columns() {
      return columns
    },
    get sequence() {
      return sequence
    },
    refresh(isOver = () => false) {
      const current = readFileSequence()
      if (current === sequence) return true
      if (boosts.refresh()) readAgain()
      const size = makeRoom()
      if (!readRest(isOver)) return false
      changePosition = endOf(current)
      popularityPosition = changePosition
      columns = withLists(columns, size)
      sequence = current
      return true
    },
  }
}

/** A page of the changes after a sequence number and an id. */
const selectAfter = (sequence: 'sequence' | 'popularity_sequence') =>
  `${SELECT} WHERE ${sequence} >= ?1 AND (${sequence} > ?1 OR id > ?2) ORDER BY ${sequence}, id LIMIT ${PAGE}`

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
