import type { ProductJson } from '../../catalog/mirror/read/product-json.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import type { MirrorAccess } from './mirror-access.ts'
import { pricePart, productPart, stockPart, taxPart } from './mirrored-rows.ts'

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
  if (!found?.every((product) => isCurrent(product, access, scope, today))) return null
  for (const { sku } of found) scope.tags.add(sku)
  return found
}

function isCurrent(
  { price_as_of, stock_as_of, eta }: ProductJson,
  access: MirrorAccess,
  scope: RequestScope,
  today: string,
): boolean {
  if (price_as_of !== null && access.isOld(Date.parse(price_as_of), scope)) return false
  if (stock_as_of !== null && access.isOld(Date.parse(stock_as_of), scope)) return false
  return eta === null || eta >= today
}
