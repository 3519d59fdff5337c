import type { StockAvailability } from '../../catalog/availability-bands.ts'
import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import type { Tax } from '../../ports/accounting.ts'
import type { Product } from '../../ports/inventory.ts'
import type { Price } from '../../ports/pricing.ts'
import type { System } from '../../ports/system.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { FilledPart, MirrorAccess } from './mirror-access.ts'

/** A part of a mirror's rows. */
export interface RowPart<V> {
  name: CatalogPartName
  system: System
  /** `undefined`: the part of this row was not read yet. */
  valueOf(row: MirrorProduct): V | null | undefined
  /** RFC 3339; `null`: the row is as current as the part. */
  asOfOf(row: MirrorProduct): string | null
}

export const productPart: RowPart<Product> = {
  name: 'products',
  system: 'inventory',
  valueOf: (row) => row.product,
  asOfOf: () => null,
}
export const stockPart: RowPart<StockAvailability> = {
  name: 'stock',
  system: 'inventory',
  valueOf: (row) => row.availability,
  asOfOf: (row) => row.stock_as_of,
}
export const pricePart: RowPart<Price> = {
  name: 'prices',
  system: 'pricing',
  valueOf: (row) => row.price,
  asOfOf: (row) => row.price_as_of,
}
export const taxPart: RowPart<Tax> = {
  name: 'taxes',
  system: 'accounting',
  valueOf: (row) => row.tax,
  asOfOf: () => null,
}

export interface RowQuery<V> {
  skus: readonly string[]
  scope: RequestScope
  /** Reads SKUs from the system, in one call. */
  ask(skus: readonly string[]): Promise<LoadResult<V>[]>
  /** See ItemReadOptions. */
  forCart?: boolean | undefined
}

/** Loads one part of rows from the mirror, and reads from the system those that the mirror lacks, or has only in an old state. */
export function loadRows<V>(access: MirrorAccess, part: RowPart<V>, query: RowQuery<V>): Promise<LoadResult<V>[]> {
  const { skus, scope, ask } = query
  const filled = scope.faults[part.system] ? null : access.part(part.name, part.system, scope)
  const rows = filled && access.rows(skus, scope)
  if (!rows) return ask(skus)
  const results = new Array<LoadResult<V> | null>(skus.length)
  const doubtful: number[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    scope.tags.add(skus[at]!)
    const result = toResult(row, part, filled)
    results[at] = result
    const isOld = result !== null && row !== null && part.asOfOf(row) !== null && access.isOld(result.asOf, scope)
    if (result === null || isOld || (query.forCart && isDoubtfulForCart(row, filled))) doubtful.push(at)
  }
  return doubtful.length === 0 ? Promise.resolve(results as LoadResult<V>[]) : askForDoubtful(results, doubtful, query)
}

/** Returns the result of a row; `null`: the part of this row was not read yet. */
function toResult<V>(row: MirrorProduct | null, part: RowPart<V>, filled: FilledPart): LoadResult<V> | null {
  const value = row && part.valueOf(row)
  if (value === undefined) return null
  const ownAsOf = row && part.asOfOf(row)
  const asOf = ownAsOf ? Date.parse(ownAsOf) : filled.asOf
  // What the catalog does not have is absent, however old the mirror is.
  const error = value === null || ownAsOf ? null : filled.error
  return { value, error, asOf, system: part.system, mirrored: true }
}

const isDoubtfulForCart = (row: MirrorProduct | null, { error }: FilledPart) => !row?.product.active || error !== null

async function askForDoubtful<V>(
  results: (LoadResult<V> | null)[],
  doubtful: readonly number[],
  { skus, ask, forCart }: RowQuery<V>,
): Promise<LoadResult<V>[]> {
  const answers = await ask(doubtful.map((at) => skus[at]!))
  for (const [index, at] of doubtful.entries()) {
    const mirrored = results[at]!
    results[at] = mirrored ? chooseBetter(answers[index]!, mirrored, forCart) : answers[index]!
  }
  return results as LoadResult<V>[]
}

/** If the system fails, the newer of its last-good value and the mirror's. An absence that only the mirror knows is not enough for a cart. */
function chooseBetter<V>(answer: LoadResult<V>, mirrored: LoadResult<V>, forCart = false): LoadResult<V> {
  if (!answer.error) return answer
  if (mirrored.value === null) return forCart || answer.value !== null ? answer : mirrored
  return answer.value !== null && answer.asOf >= mirrored.asOf ? answer : { ...mirrored, error: answer.error }
}
