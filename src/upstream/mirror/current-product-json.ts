import type { ProductJson } from '../../catalog/mirror/read/product-json.ts'
import type { RequestScope } from '../request/request-scope.ts'
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
 * Returns whether products can be sent as stored JSON, and then tags the response of `scope` with them and limits how long it is cached. Products
 * cannot be sent as JSON if they are older than the mirror, or if their availability date has passed.
 */
export function areTextsCurrent(
  access: MirrorAccess,
  scope: RequestScope,
  today: string,
  products: readonly ProductJson[],
): boolean {
  if (!products.every(({ eta }) => eta === null || eta >= today)) return false
  const oldest = findOldest(products)
  if (oldest !== null && access.isOld(Date.parse(oldest), scope)) return false
  for (const { sku } of products) scope.tags.add(sku)
  return true
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
