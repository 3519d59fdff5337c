import { setImmediate as nextTurn } from 'node:timers/promises'
import { LISTS_TAG, REFERENCES_TAG } from '../../cache/invalidations.ts'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import { UpstreamError } from '../../errors.ts'
import type { ProductQuery } from '../../ports/inventory.ts'
import type { BackOffice } from '../back-office.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import { withoutPastEta } from '../readers/item-reader.ts'
import { type RequestScope, simulatedFailure } from '../request/request-scope.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import { areRowsCurrent, readProductJson } from './current-product-json.ts'
import { createMirrorAccess, type MirrorAccess } from './mirror-access.ts'
import type { MirrorPage, MirrorReader, VehicleFitments } from './mirror-reader.ts'
import {
  createMirrorSearches,
  type MirrorSearches,
  toMirrored,
  toMirrorRequest,
  toProductQuery,
} from './mirror-searches.ts'
import { loadRows, pricePart, productPart, stockPart, taxPart } from './mirrored-rows.ts'
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
    categories: async (scope, ids) => readList(access, 'categories', scope, ids) ?? inner.categories(scope, ids),
    tags: async (scope, tags) => readList(access, 'tags', scope, tags) ?? inner.tags(scope, tags),
    async search(query, scope, onSkus) {
      const request = searchable(query, scope)
      const found = request && (await searches.search(request, scope))
      return found ?? inner.search(query, scope, onSkus)
    },
    mirror: createMirrorReader(inner, access, { ...searches, hasVehicle }),
  }
  return withVehicleMirror(mirrored, access, options.fitment)
}

/** Returns a list, or its members with some keys; `null`: the inventory must be asked. */
function readList<N extends 'categories' | 'tags'>(
  access: MirrorAccess,
  name: N,
  scope: RequestScope,
  keys?: readonly string[],
) {
  const filled = scope.faults.inventory ? null : access.part(name, 'inventory', scope)
  const value = filled && access.read((mirror) => mirror[name](keys) as ReturnType<CatalogMirror[N]>)
  if (!filled || !value) return null
  scope.tags.add(LISTS_TAG)
  return toMirrored(value, filled)
}

type VehicleSearches = MirrorSearches & { hasVehicle(vehicleId: number): boolean }

function createMirrorReader(inner: BackOffice, access: MirrorAccess, searches: VehicleSearches): MirrorReader {
  /** If the file cannot be read, searches that the inventory understands go there. */
  async function searchInventory(request: SearchRequest, scope: RequestScope): Promise<LoadResult<MirrorPage>> {
    const query = toProductQuery(request)
    if (!query) return searchFormerVehicle(request, scope)
    const { value, ...found } = await inner.search(query, scope)
    return { ...found, value: value && { ...value, facets: {}, corrected: null, closest: null } }
  }

  /** Finds the vehicle by an id that an earlier import gave it. Only the mirror has the filters of this request. */
  async function searchFormerVehicle(request: SearchRequest, scope: RequestScope): Promise<LoadResult<MirrorPage>> {
    if (request.vehicleId === undefined) return unreadable
    const { value, ...found } = await inner.vehicleItems(request.vehicleId, { limit: 1, offset: 0 }, scope)
    if (!value) return { ...found, value: found.error ? null : NO_PRODUCTS }
    const current = { ...request, vehicleId: value.vehicle.vehicle_id }
    if (!isUnknown(current)) return (await searches.search(current, scope)) ?? unreadable
    return canFillVehicles() ? unreadable : notOffered
  }

  /** Without a source of fitment, or if that cannot list the vehicles of a product, the mirror never has vehicles. */
  const canFillVehicles = () =>
    inner.changes.fitmentSource !== null &&
    access.read((mirror) => mirror.partState('vehicles').failure) !== 'not_configured'

  function readNow<V>(scope: RequestScope, read: (mirror: CatalogMirror) => V | null): LoadResult<V> {
    if (scope.faults.inventory) return failedByRequest(scope)
    const filled = access.part('products', 'inventory', scope)
    const found = filled && access.read((mirror) => ({ value: read(mirror) }))
    if (!filled || !found) return unreadable
    scope.tags.add(LISTS_TAG)
    return toMirrored(found.value, filled)
  }

  const isUnknown = ({ vehicleId, categories }: SearchRequest) =>
    (vehicleId !== undefined && !searches.hasVehicle(vehicleId)) ||
    (categories !== undefined && !access.isFilled('categories'))

  const hasVehicles = () => access.isFilled('vehicles') || !canFillVehicles()

  return {
    get state() {
      return access.isFilled('products') ? 'ready' : 'filling'
    },
    hasPartsOf: ({ vehicle_id, category }) =>
      (vehicle_id === undefined || hasVehicles()) && (!category?.length || access.isFilled('categories')),
    hasTextParts: () => hasVehicles() && access.isFilled('categories') && access.isFilled('references'),
    async search(request, scope, { usesInventory = true } = {}) {
      if (scope.faults.inventory) return failedByRequest(scope)
      const found = isUnknown(request) ? null : await searches.search(request, scope)
      return found ?? (usesInventory ? searchInventory(request, scope) : searchFormerVehicle(request, scope))
    },
    async searchTexts(request, scope) {
      if (isUnknown(request) || !areRowsCurrent(access, scope)) return null
      const found = await searches.searchIds(request, scope)
      if (!found?.value || found.error) return null
      const { ids, ...page } = found.value
      const products = readProductJson(access, scope, inner.today(), (mirror) => mirror.texts(ids))
      return products && { ...page, products }
    },
    text(sku, scope) {
      if (scope.faults.references || !areRowsCurrent(access, scope)) return null
      const numbers = access.part('references', 'inventory', scope)
      if (!numbers || numbers.error) return null
      const found = readProductJson(access, scope, inner.today(), (mirror) => {
        const product = mirror.text(sku)
        return product && [product]
      })
      const references = found && access.read((mirror) => mirror.references(sku, null))
      if (!references) return null
      scope.tags.add(REFERENCES_TAG)
      return { product: found[0]!, references }
    },
    async suggest(request, scope) {
      if (scope.faults.inventory) return failedByRequest(scope)
      return (await searches.run(scope, (mirror, signal) => mirror.suggest(request, signal))) ?? unreadable
    },
    changes: (query, scope) =>
      readNow(scope, (mirror) => ({ ...mirror.changes(query), asOf: mirror.partState('products').asOf })),
    async countChanges(after) {
      let counted = access.read((mirror) => mirror.countChanges(after))
      while (counted && counted.last !== null) {
        await nextTurn()
        counted = access.read((mirror) => mirror.countChanges(after, counted!))
      }
      return counted ? counted.count : null
    },
    findSlug: (slug, scope) => readNow(scope, (mirror) => mirror.findSlug(slug)),
    fitments(vehicleId, skus, scope) {
      const filled = scope.faults.inventory || scope.faults.fitment ? null : access.part('vehicles', 'inventory', scope)
      const found = filled && access.read((mirror) => ({ value: readFitments(mirror, vehicleId, skus) }))
      if (!filled || !found?.value) return null
      scope.tags.add(LISTS_TAG)
      return toMirrored(found.value, filled)
    },
  }
}

function readFitments(mirror: CatalogMirror, vehicleId: number, skus: readonly string[]): VehicleFitments | null {
  const vehicle = mirror.vehicle(vehicleId)
  return vehicle && { vehicle, fitments: mirror.fitmentsOn(vehicleId, skus) }
}

const failedByRequest = (scope: RequestScope): LoadResult<never> => ({
  value: null,
  error: simulatedFailure(scope.faults.inventory!, 'inventory'),
  asOf: 0,
  system: 'inventory',
})

const NO_PRODUCTS: MirrorPage = {
  skus: [],
  newest: 0,
  total: 0,
  has_more: false,
  facets: {},
  corrected: null,
  closest: null,
}
const notOffered: LoadResult<never> = {
  value: null,
  error: new UpstreamError('not_configured', 'no system lists the vehicles of a product', { system: 'inventory' }),
  asOf: 0,
  system: 'inventory',
}
const UNREADABLE = 'the catalog mirror cannot be read'
const unreadable: LoadResult<never> = {
  value: null,
  error: new UpstreamError('unavailable', UNREADABLE, { summary: UNREADABLE, system: 'inventory' }),
  asOf: 0,
  system: 'inventory',
}
