import type { Call } from '../../ports/call.ts'
import type { Category, InventoryPort, ProductQuery, SkuListener, Tag } from '../../ports/inventory.ts'
import type { Fitment, SkuFitments } from '../../ports/sku-fitments.ts'
import type { PageRange, Vehicle, VehicleFacetQuery, VehicleFacetValue } from '../../ports/vehicle.ts'
import type { CallPriority } from '../guard/call-priority.ts'
import type { RunningCall } from '../guard/guard.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { CachedLoader, LoadResult } from '../read-stack/cached-loader.ts'
import { createPageSkuListeners } from '../read-stack/page-sku-listeners.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { CallingRequest } from '../request/calling-request.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { ItemCache } from './item-cache.ts'
import { queryOptions, queryResult } from './query-batch-options.ts'
import type { ReaderParts } from './reader-parts.ts'
import type { SkuPage } from './sku-page.ts'

export interface CatalogReaderParts extends ReaderParts {
  inventory: GuardedPort<InventoryPort> | undefined
  items: ItemCache
}

export interface VehiclePage extends SkuPage {
  vehicle: Vehicle
  fitments: (Fitment & { universal: boolean })[]
}

/** Lists, facets and vehicles. Each query is cached and shared under its parameters. */
export interface CatalogReader {
  /** `onSkus` receives the SKUs of a page before the page itself, if the page is not cached and the system returns its SKUs first. */
  search(query: ProductQuery, scope: RequestScope, onSkus?: SkuListener): Promise<LoadResult<SkuPage>>
  /** `ids`: the caller needs these alone. A mirror reads no others; a system lists all of them. */
  categories(scope: RequestScope, ids?: readonly string[]): Promise<LoadResult<Category[]>>
  /** `tags`: as `ids` of categories. */
  tags(scope: RequestScope, tags?: readonly string[]): Promise<LoadResult<Tag[]>>
  vehicleFacet(query: VehicleFacetQuery, scope: RequestScope): Promise<LoadResult<VehicleFacetValue[]>>
  vehicleItems(vehicleId: number, page: PageRange, scope: RequestScope): Promise<LoadResult<VehiclePage>>
  fitments(sku: string, page: PageRange, scope: RequestScope): Promise<LoadResult<SkuFitments>>
}

/** Searches the inventory through its guard, without the cache of pages. */
export type SearchInventory = (query: ProductQuery, caller: CallingRequest) => RunningCall<SkuPage>

type QueryMethod = Exclude<keyof InventoryPort, 'items' | 'maxSkus' | 'watermarkOverlapSeconds'>

const ALL_PARTS = { product: true, stock: true }

export function createCatalogReader(
  parts: CatalogReaderParts,
): CatalogReader & { searchInventory: SearchInventory; detachInFlight(): void } {
  const { inventory, items, invalidations } = parts
  const pageSkuListeners = createPageSkuListeners()
  const loaders: { detachInFlight(): void }[] = []

  function createQueryLoader<Q, V>(
    method: QueryMethod,
    priority: CallPriority,
    read: (port: Required<InventoryPort>, query: Q, call: Call) => Promise<V | null>,
  ): CachedLoader<Q, V> {
    const guarded = inventory?.port[method] && (inventory as GuardedPort<Required<InventoryPort>>)
    const loader = createReadStack<Q, V>({
      ...queryOptions<Q>(parts),
      system: 'inventory',
      name: method,
      call: (_group, [query], caller) =>
        throughGuard(guarded || undefined, method, priority, caller, async (port, call) =>
          queryResult(query!, await read(port, query!, call)),
        ),
    })
    loaders.push(loader)
    return loader
  }

  async function readPage(port: InventoryPort, query: ProductQuery, call: Call): Promise<SkuPage> {
    const { version } = invalidations
    const onSkus = (skus: readonly string[]) => pageSkuListeners.publish(JSON.stringify(query), skus)
    return items.storePage(await port.search(query, ALL_PARTS, call, onSkus), version)
  }

  async function readVehiclePage(
    port: Required<InventoryPort>,
    { id, page }: { id: number; page: PageRange },
    call: Call,
  ) {
    const { version } = invalidations
    const { vehicle, ...found } = await port.vehicleItems(id, page, ALL_PARTS, call)
    if (vehicle === null) return null
    const fitments = found.items.map((item) => item.fitment)
    return { ...items.storePage(found, version), vehicle, fitments }
  }

  const search = createQueryLoader<ProductQuery, SkuPage>('search', 'search', readPage)
  const categories = createQueryLoader<null, Category[]>('categories', 'catalog', (port, _, call) =>
    port.categories(call),
  )
  const tags = createQueryLoader<null, Tag[]>('tags', 'catalog', (port, _, call) => port.tags(call))
  const facet = createQueryLoader<VehicleFacetQuery, VehicleFacetValue[]>(
    'vehicleFacet',
    'catalog',
    (port, query, call) => port.vehicleFacet(query, call),
  )
  const vehicleItems = createQueryLoader<{ id: number; page: PageRange }, VehiclePage>(
    'vehicleItems',
    'catalog',
    readVehiclePage,
  )
  const fitments = createQueryLoader<{ sku: string; page: PageRange }, SkuFitments>(
    'fitments',
    'catalog',
    (port, { sku, page }, call) => port.fitments(sku, page, call),
  )

  return {
    search: (query, scope, onSkus) =>
      pageSkuListeners.during(JSON.stringify(query), onSkus, () => search.loadOne(EVERYBODY, query, scope)),
    categories: (scope) => categories.loadOne(EVERYBODY, null, scope),
    tags: (scope) => tags.loadOne(EVERYBODY, null, scope),
    vehicleFacet: (query, scope) => facet.loadOne(EVERYBODY, query, scope),
    vehicleItems: (id, page, scope) => vehicleItems.loadOne(EVERYBODY, { id, page }, scope),
    fitments: (sku, page, scope) => fitments.loadOne(EVERYBODY, { sku, page }, scope),
    searchInventory: (query, caller) =>
      throughGuard(inventory, 'search', 'search', caller, (port, call) => readPage(port, query, call)),
    detachInFlight() {
      for (const loader of loaders) loader.detachInFlight()
    },
  }
}
