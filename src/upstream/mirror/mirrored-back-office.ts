import type { ProductQuery } from '../../ports/inventory.ts'
import type { BackOffice } from '../back-office.ts'
import { withoutPastEta } from '../readers/without-past-eta.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import { createMirrorReader } from './create-mirror-reader.ts'
import { createMirrorAccess } from './mirror-access.ts'
import { createMirrorSearches, toMirrorRequest } from './mirror-searches.ts'
import { readMirroredTaxonomy } from './mirrored-categories-and-tags.ts'
import { loadRows, pricePart, productPart, stockPart, taxPart } from './mirrored-products-and-prices.ts'
import { type MirroredVehiclesOptions, withVehicleMirror } from './mirrored-vehicles-and-references.ts'

export interface MirrorOptions {
  /** A part of the mirror that was not confirmed for longer than this is served as stale. */
  maxAgeMs: number
  /** Where the fitment of vehicles comes from. */
  fitment: MirroredVehiclesOptions
  /** Called when the mirror's file cannot be read. The systems are asked instead. */
  onError(error: unknown): void
  now?: () => number
}

/**
 * A back office whose catalog is read from a mirror, as far as that is filled. Customers' prices, carts' quotes, checkouts, the change feed
 * and the controls of circuits and caches stay those of `inner`, and so does a read whose system X-Sandbox-Fault fails.
 */
export function withMirror(inner: BackOffice, mirror: CatalogMirror, options: MirrorOptions): BackOffice {
  const { now = Date.now } = options
  const access = createMirrorAccess({ ...options, mirror, now })
  const searches = createMirrorSearches(access, now)

  /** Fitment that is imported also finds a vehicle by ids that the mirror does not have. */
  function hasVehicle(vehicleId: number): boolean {
    if (!access.isFilled('vehicles')) return false
    return !options.fitment.hasFormerIds || Boolean(access.read((mirror) => mirror.vehicle(vehicleId)))
  }

  function searchable(query: ProductQuery, scope: RequestScope) {
    if (scope.faults.inventory) return null
    if (query.vehicle_id !== undefined && !hasVehicle(query.vehicle_id)) return null
    if (query.category !== undefined && !access.isFilled('categories')) return null
    return toMirrorRequest(query)
  }

  const mirrored: BackOffice = {
    ...inner,
    products: (skus, scope, { forCart } = {}) =>
      loadRows(access, productPart, { skus, scope, forCart, ask: (some) => inner.products(some, scope) }),
    async availability(skus, scope, { forCart } = {}) {
      const ask = (some: readonly string[]) => inner.availability(some, scope)
      const results = await loadRows(access, stockPart, { skus, scope, forCart, ask })
      const day = inner.today()
      return results.map((result) => withoutPastEta(result, day))
    },
    prices: (skus, customerId, scope) =>
      customerId === null
        ? loadRows(access, pricePart, { skus, scope, ask: (some) => inner.prices(some, null, scope) })
        : inner.prices(skus, customerId, scope),
    taxes: (skus, customerId, scope) =>
      customerId === null
        ? loadRows(access, taxPart, { skus, scope, ask: (some) => inner.taxes(some, null, scope) })
        : inner.taxes(skus, customerId, scope),
    ...readMirroredTaxonomy(inner, access),
    async search(query, scope, onSkus) {
      const request = searchable(query, scope)
      const found = request && (await searches.search(request, scope))
      return found ?? inner.search(query, scope, onSkus)
    },
    mirror: createMirrorReader(inner, access, { ...searches, hasVehicle }),
  }
  return withVehicleMirror(mirrored, access, options.fitment)
}
