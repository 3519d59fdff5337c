import { UpstreamError } from '../../errors.ts'
import type { Call } from '../../ports/call.ts'
import type { FitmentPort, VehicleWithParts } from '../../ports/fitment.ts'
import type { ProductQuery } from '../../ports/inventory.ts'
import type { SkuFitments } from '../../ports/sku-fitments.ts'
import type { PageRange, VehicleFacetQuery, VehicleFacetValue } from '../../ports/vehicle.ts'
import type { RunningCall } from '../guard/guard.ts'
import type { CallRunner } from '../guard/store-read-runner.ts'
import type { CachedLoader, LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { CallingRequest } from '../request/calling-request.ts'
import { createRequestScope, type RequestScope } from '../request/request-scope.ts'
import { simulatedFailure } from '../request/requested-faults.ts'
import type { SearchInventory, VehiclePage } from './catalog-reader.ts'
import { queryOptions, queryResult } from './query-batch-options.ts'
import type { ReaderParts } from './reader-parts.ts'

export interface SeparateFitmentReaderParts extends ReaderParts {
  fitment: { port: FitmentPort; runner: CallRunner }
  searchInventory: SearchInventory
}

type VehicleQuery = ProductQuery & { vehicle_id: number }

/** Reads vehicles and their products for a tenant whose fitment does not come from the inventory. Nothing here rejects. */
export interface FitmentReader {
  vehicleFacet(query: VehicleFacetQuery, scope: RequestScope): Promise<LoadResult<VehicleFacetValue[]>>
  /** Reads a page of the products that fit a vehicle, match the query and are for sale in the inventory. */
  vehicleItems(query: VehicleQuery, scope: RequestScope): Promise<LoadResult<VehiclePage>>
  fitments(sku: string, page: PageRange, scope: RequestScope): Promise<LoadResult<SkuFitments>>
}

const NO_FITMENTS: SkuFitments = { universal: false, fitments: [], total: 0, has_more: false }
const EMPTY_PAGE = { skus: [], newest: 0, total: 0, has_more: false, fitments: [] }
/** The time limit for reading the vehicle's SKUs, before the inventory is called. Requests have shorter deadlines of their own. */
const VEHICLE_BUDGET = { totalMs: 5_000, reserveMs: 0 }

export function createSeparateFitmentReader(
  parts: SeparateFitmentReaderParts,
): FitmentReader & { detachInFlight(): void } {
  const { fitment, searchInventory, now } = parts

  function createQueryLoader<Q, V>(
    name: string,
    read: (query: Q, call: Call) => Promise<V | null>,
  ): CachedLoader<Q, V> {
    return createReadStack<Q, V>({
      ...queryOptions<Q>(parts),
      system: 'fitment',
      name: `fitment.${name}`,
      call: (_group, [query], { requestId, recorder }) =>
        fitment.runner.run({
          requestId,
          recorder,
          operation: name,
          priority: 'catalog',
          read: true,
          work: async (call) => queryResult(query!, await read(query!, call)),
        }),
    })
  }

  const facets = createQueryLoader<VehicleFacetQuery, VehicleFacetValue[]>('facet', (query, call) =>
    fitment.port.vehicleFacet(query, call),
  )
  const vehicles = createQueryLoader<number, VehicleWithParts>('vehicle', (id, call) => fitment.port.vehicle(id, call))
  const skus = createQueryLoader<{ sku: string; page: PageRange }, SkuFitments>('sku', ({ sku, page }, call) =>
    fitment.port.fitments(sku, page, call),
  )
  const pages = createReadStack<VehicleQuery, VehiclePage>({
    ...queryOptions<VehicleQuery>(parts),
    system: 'fitment',
    name: 'fitment.page',
    call: (_group, [query], caller) => readVehiclePage(query!, caller),
  })

  /** Reads the vehicle's SKUs first, then the inventory's page of them: only the inventory knows which are sold, and in which order. */
  function readVehiclePage(key: VehicleQuery, caller: CallingRequest): RunningCall<Map<string, VehiclePage>> {
    const { vehicle_id, ...query } = key
    const scope = createRequestScope({ requestId: caller.requestId, recorder: caller.recorder }, VEHICLE_BUDGET, now)
    let searching: RunningCall<unknown> | undefined

    async function read(): Promise<VehiclePage | null> {
      const { value, error } = await vehicles.loadOne(EVERYBODY, vehicle_id, scope)
      if (error) throw error
      if (value === null) return null
      const fitmentBySku = new Map(value.parts.map((part) => [part.sku, part.fitment]))
      if (fitmentBySku.size === 0) return { ...EMPTY_PAGE, vehicle: value.vehicle }
      const search = searchInventory({ ...query, skus: [...fitmentBySku.keys()] }, caller)
      searching = search
      for (const call of search.calls) scope.calls.add(call)
      const page = await search.answer
      if (page.skus.some((sku) => !fitmentBySku.has(sku)))
        throw new UpstreamError('invalid', 'the inventory returned SKUs outside the search', { system: 'inventory' })
      const fitments = page.skus.map((sku) => fitmentBySku.get(sku)!)
      return { ...page, total: value.isComplete ? page.total : null, vehicle: value.vehicle, fitments }
    }

    const abandon: RunningCall<unknown>['abandon'] = (outOfTime) => {
      scope.leave()
      searching?.abandon(outOfTime)
    }
    return { answer: read().then((page) => queryResult(key, page)), abandon, calls: scope.calls }
  }

  return {
    vehicleFacet: (query, scope) => facets.loadOne(EVERYBODY, query, scope),
    async fitments(sku, page, scope) {
      const found = await skus.loadOne(EVERYBODY, { sku, page }, scope)
      // A product that the inventory knows and this source does not fits nothing.
      return found.value === null && found.error === null ? { ...found, value: NO_FITMENTS } : found
    },
    async vehicleItems(query, scope) {
      const fault = scope.faults.fitment ? undefined : scope.faults.inventory
      if (fault) return { value: null, error: simulatedFailure(fault, 'inventory'), asOf: 0, system: 'inventory' }
      return pages.loadOne(EVERYBODY, query, scope)
    },
    detachInFlight() {
      for (const loader of [facets, vehicles, skus, pages]) loader.detachInFlight()
    },
  }
}
