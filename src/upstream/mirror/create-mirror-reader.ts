import { setImmediate as nextTurn } from 'node:timers/promises'
import { LISTS_TAG, REFERENCES_TAG } from '../../cache/invalidations.ts'
import type { SearchRequest } from '../../catalog/search/search-request.ts'
import { UpstreamError } from '../../errors.ts'
import { NO_REFERENCES } from '../../ports/reference.ts'
import type { BackOffice } from '../back-office.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { RequestScope } from '../request/request-scope.ts'
import { simulatedFailure } from '../request/requested-faults.ts'
import type { CatalogMirror } from './catalog-mirror.ts'
import { areRowsCurrent, areTextsCurrent } from './current-product-json.ts'
import type { MirrorAccess } from './mirror-access.ts'
import type { MirrorPage, MirrorReader, VehicleFitments } from './mirror-reader.ts'
import { type MirrorSearches, toMirrored, toProductQuery } from './mirror-searches.ts'

type VehicleSearches = MirrorSearches & { hasVehicle(vehicleId: number): boolean }

export function createMirrorReader(inner: BackOffice, access: MirrorAccess, searches: VehicleSearches): MirrorReader {
  /** If the file cannot be read, searches that the inventory understands are sent to it. */
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
      const products = access.read((mirror) => mirror.texts(ids))
      return products && areTextsCurrent(access, scope, inner.today(), products) ? { ...page, products } : null
    },
    text(sku, scope) {
      if (scope.faults.references || !areRowsCurrent(access, scope)) return null
      const numbers = access.part('references', 'inventory', scope)
      if (!numbers || numbers.error) return null
      const found = access.read((mirror) => mirror.text(sku))
      if (!found || !areTextsCurrent(access, scope, inner.today(), [found.product])) return null
      const { product, hasReferences } = found
      const references = hasReferences ? access.read((mirror) => mirror.references(sku, null)) : NO_REFERENCES
      if (!references) return null
      scope.tags.add(REFERENCES_TAG)
      return { product, references }
    },
    async suggest(request, scope) {
      if (scope.faults.inventory) return failedByRequest(scope)
      return (await searches.run(scope, (mirror, signal) => mirror.suggest(request, signal))) ?? unreadable
    },
    changes: (query, scope) =>
      readNow(scope, (mirror) => ({ ...mirror.changes(query), asOf: mirror.partState('products').asOf })),
    changeTexts(query, scope) {
      if (!areRowsCurrent(access, scope)) return null
      const page = access.read((mirror) => {
        const found = mirror.changeTexts(query)
        return found && { ...found, asOf: mirror.partState('products').asOf }
      })
      if (!page) return null
      const active = page.products.flatMap(({ product }) => product ?? [])
      if (!areTextsCurrent(access, scope, inner.today(), active)) return null
      scope.tags.add(LISTS_TAG)
      return page
    },
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
