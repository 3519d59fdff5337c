import type { ProductJson } from '../../catalog/mirror/read/product-json.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import type { MirrorAccess } from './mirror-access.ts'
import { pricePart, productPart, stockPart, taxPart } from './mirrored-products-and-prices.ts'

const PARTS = [productPart, stockPart, pricePart, taxPart]

/**
 * Returns whether all parts of the mirror's rows are filled and current, and the request simulates no failure of their systems. A response of
 * `scope` is cached no longer than they are current.
 */
export function areRowsCurrent(access: MirrorAccess, scope: RequestScope): boolean {
  return PARTS.every(({ name, system }) => {
    const filled = scope.faults[system] ? null : access.part(name, system, scope)
    return filled !== null && filled.error === null
  })
}

/**
 * Reads products as JSON for an anonymous caller. `null`: the file cannot be read, or a product needs more than its JSON: some are read one
 * by one, are older than the mirror, or promise a day that has passed.
 */
export function readProductJson(
  access: MirrorAccess,
  scope: RequestScope,
  today: string,
  read: (mirror: CatalogMirror) => ProductJson[] | null,
): ProductJson[] | null {
  const found = access.read(read)
  if (!found?.every(({ eta }) => eta === null || eta >= today)) return null
  const oldest = findOldest(found)
  if (oldest !== null && access.isOld(Date.parse(oldest), scope)) return null
  for (const { sku } of found) scope.tags.add(sku)
  return found
}

/** Returns the earliest time of a price or a band; `null`: all are as current as the mirror. Forecourt writes all of them in one format, so texts compare as times. */
function findOldest(products: readonly ProductJson[]): string | null {
  let oldest: string | null = null
  for (const { price_as_of, stock_as_of } of products) {
    if (price_as_of !== null && (oldest === null || price_as_of < oldest)) oldest = price_as_of
    if (stock_as_of !== null && (oldest === null || stock_as_of < oldest)) oldest = stock_as_of
  }
  return oldest
}
