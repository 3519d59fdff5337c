import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { LRUCache } from 'lru-cache'
import type { ChangeCount, ChangedProductPage, MirrorProduct } from '../file/mirror-row.ts'
import { PACKED_COLUMNS, type PackedProduct, splitProduct } from '../file/packed-product.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'
import { JSON_COLUMNS, type JsonColumns, type ProductJson, type ProductJsonOf } from './product-json.ts'

/** `after`: a sequence number, exclusive. */
export interface ChangedProductQuery {
  after: number
  limit: number
  offset: number
}

/** A changed product as JSON. `product` is `null` if it was withdrawn: a sync then has only the SKU and `updated_at`, which is already JSON. */
export interface ChangedProductJson {
  sku: string
  sequence: number
  updated_at: string
  product: ProductJson | null
}

/** The changed products of a mirror, in the order of their changes. */
export interface ChangedProductReader {
  /** Includes withdrawn products. */
  changes(query: ChangedProductQuery): ChangedProductPage
  /** `null`: a product must be read by its parts. */
  changeTexts(query: ChangedProductQuery): ChangedProductPage<ChangedProductJson> | null
  /** Counts the products that changed after a sequence number, in parts. Returns `counted` with the next part added, which takes less than a millisecond. */
  countChanges(after: number, counted?: ChangeCount): ChangeCount
}

/** Counting takes 15 ns a product. */
const PART = 50_000
/** The number of syncs whose next page has a known total. */
const MAX_TOTALS = 1_000

interface RowReaders {
  unpack(columns: PackedProduct): MirrorProduct
  toJson: ProductJsonOf
}

type TextRow = [sequence: number, active: number, ...JsonColumns]

export function createChangedProductReader(
  database: DatabaseSync,
  { unpack, toJson }: RowReaders,
  part = PART,
): ChangedProductReader {
  const select = (columns: string) =>
    database.prepare(`SELECT sequence, ${columns} FROM products WHERE sequence > ? ORDER BY sequence LIMIT ? + 0`)
  // The index alone: with the columns of a page, each skipped row takes five times as long.
  const lastSkipped = database.prepare(
    'SELECT sequence FROM products WHERE sequence > ? ORDER BY sequence LIMIT 1 OFFSET ? + 0',
  )
  const page = select(PACKED_COLUMNS)
  const texts = select(`active, ${JSON_COLUMNS}`)
  texts.setReturnArrays(true)
  const partEnd = database.prepare(
    `SELECT sequence FROM products WHERE sequence > ? ORDER BY sequence LIMIT 1 OFFSET ${part - 1}`,
  )
  const rest = database.prepare('SELECT count(*) AS count FROM products WHERE sequence > ?')
  const readState = database.prepare(
    `SELECT ifnull((SELECT value FROM state WHERE name = 'sequence'), 0) AS sequence,
      ifnull((SELECT value FROM state WHERE name = 'rows'), 0) AS rows,
      ifnull((SELECT min(sequence) FROM products), 0) AS first`,
  )
  const state = () => readState.get() as { sequence: number; rows: number; first: number }
  const inSnapshot = createSnapshotReads(database)

  /** Returns the rows of a page, and one more if there are more. */
  function readRows<R>(statement: StatementSync, { after, limit, offset }: ChangedProductQuery): R[] {
    if (offset === 0) return statement.all(after, limit + 1) as R[]
    const skipped = lastSkipped.get(after, offset - 1) as { sequence: number } | undefined
    return skipped ? (statement.all(skipped.sequence, limit + 1) as R[]) : []
  }
  /** The number of changes after a sequence number, in the state of the file at another. */
  const totals = new LRUCache<number, { sequence: number; total: number }>({ max: MAX_TOTALS })

  /** Returns a page of products. One more row than the limit says that there are more. */
  function toPage<P extends { sequence: number }>(
    { after, limit, offset }: ChangedProductQuery,
    rowCount: number,
    products: P[],
  ): ChangedProductPage<P> {
    const has_more = rowCount > limit
    if (!has_more && (rowCount > 0 || offset === 0)) return { products, total: offset + rowCount, has_more }
    const { sequence, rows: all, first } = state()
    const known = totals.get(after)
    const knownTotal = known?.sequence === sequence ? known.total : null
    const total = after < first ? all : knownTotal
    // The next page begins after the last product of this one.
    const last = products.at(-1)?.sequence
    if (total !== null && last !== undefined) totals.set(last, { sequence, total: total - offset - products.length })
    return { products, total, has_more }
  }

  /** Pictures that the adapter does not read are an error of the page, also those of a withdrawn product. */
  function toChangedJson([sequence, active, ...columns]: TextRow): ChangedProductJson | null {
    const [sku, , , , , , packed] = columns
    const lines = splitProduct(packed)
    const product = active === 1 ? toJson(columns) : null
    if (!lines || lines.pictures === 'null' || (active === 1 && !product)) return null
    return { sku, sequence, updated_at: lines.updated_at, product }
  }

  return {
    changes: (query) =>
      inSnapshot(() => {
        const rows = readRows<PackedProduct & { sequence: number }>(page, query)
        const products = rows.slice(0, query.limit).map((row) => ({ ...unpack(row), sequence: row.sequence }))
        return toPage(query, rows.length, products)
      }),
    changeTexts: (query) =>
      inSnapshot(() => {
        const rows = readRows<TextRow>(texts, query)
        const products: ChangedProductJson[] = []
        for (const row of rows.slice(0, query.limit)) {
          const product = toChangedJson(row)
          if (!product) return null
          products.push(product)
        }
        return toPage(query, rows.length, products)
      }),
    countChanges: (after, counted) =>
      inSnapshot(() => {
        const { count, last, sequence } = counted ?? { count: 0, last: after, sequence: state().sequence }
        if (last === null) return counted!
        const end = partEnd.get(last) as { sequence: number } | undefined
        if (end) return { count: count + part, last: end.sequence, sequence }
        const total = count + (rest.get(last) as { count: number }).count
        if (state().sequence === sequence) totals.set(after, { sequence, total })
        return { count: total, last: null, sequence }
      }),
  }
}
