import { type Expiries, LISTS } from '../cache/invalidation.ts'
import type { FairCache } from '../cache/fair-cache.ts'
import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import type { FitmentPort, FittedVehicle } from '../ports/fitment.ts'
import type { FacetValue, Page, ProductQuery, SkuFitments, VehicleFacetQuery } from '../ports/inventory.ts'
import { type Asking, askedFor, createAsking } from './request-scope.ts'
import type { SkuPage, VehiclePage } from './back-office.ts'
import type { Running } from './guard.ts'
import { createLoader, type Filled, type Freshness, type Kept, type Loader } from './cached-loader.ts'
import type { Runner } from './store-call-runner.ts'
import type { Asker } from './trace-recorder.ts'

export interface FitmentOfficeParts {
  owner: string
  cache: FairCache<Kept>
  now: () => number
  expiries: Expiries
  freshness: Freshness
  fitment: { port: FitmentPort; runner: Runner }
  /** A page of the inventory, of these SKUs alone. */
  among(query: ProductQuery & { skus: readonly string[] }, asker: Asker): Running<SkuPage>
}

/** The questions about vehicles of a merchant whose fitment does not come from the inventory. Nothing here rejects. */
export interface FitmentOffice {
  vehicleFacet(query: VehicleFacetQuery, asking: Asking): Promise<Filled<FacetValue[]>>
  /** A page of what fits a vehicle and matches the query, of products that the inventory has and sells. */
  vehicleItems(query: ProductQuery & { vehicle_id: number }, asking: Asking): Promise<Filled<VehiclePage>>
  fitments(sku: string, page: Page, asking: Asking): Promise<Filled<SkuFitments>>
  readonly loaders: readonly { part(): void }[]
}

const NO_FITMENTS: SkuFitments = { universal: false, fitments: [], total: 0, has_more: false }
/** For the SKUs of a vehicle, before the inventory is asked: whoever waits has a shorter deadline of its own. */
const STEP = { totalMs: 5_000, reserveMs: 0 }

export function createFitmentOffice(parts: FitmentOfficeParts): FitmentOffice {
  const { owner, cache, now, expiries, fitment, among } = parts
  const shared = {
    ...{ owner, cache, now, windowMs: 0, maxIds: 1, freshnessOf: () => parts.freshness },
    expiring: { expiries, tagOf: () => LISTS },
  }

  /** A question to the fitment source: its parameters are its key. */
  function question<Q, V>(name: string, work: (query: Q, call: Call) => Promise<V | null>): Loader<V> {
    return createLoader<V>({
      ...{ ...shared, system: 'fitment', name: `fitment.${name}` },
      ask: (_group, [id], { requestId, trail }) =>
        fitment.runner.run({
          ...{ requestId, trail, operation: name, priority: 'catalog', read: true },
          async work(call) {
            const value = await work(JSON.parse(id!) as Q, call)
            return new Map(value === null ? [] : [[id!, value]])
          },
        }),
    })
  }

  const facets = question<VehicleFacetQuery, FacetValue[]>('facet', (query, call) =>
    fitment.port.vehicleFacet(query, call),
  )
  const vehicles = question<number, FittedVehicle>('vehicle', (id, call) => fitment.port.vehicle(id, call))
  // A product that its inventory knows and the source does not is one that fits nothing.
  const skus = question<{ sku: string; page: Page }, SkuFitments>(
    'sku',
    async ({ sku, page }, call) => (await fitment.port.fitments(sku, page, call)) ?? NO_FITMENTS,
  )

  /** The SKUs of the vehicle first, then the inventory's page of them: that alone knows which are sold, and in which order. */
  const pages = createLoader<VehiclePage>({
    ...{ ...shared, system: 'fitment', name: 'fitment.page' },
    ask(_group, [id], asker) {
      const step = createAsking({ requestId: asker.requestId, trail: asker.trail }, STEP, now)
      let running: Running<unknown> | undefined
      async function answer(): Promise<Map<string, VehiclePage>> {
        const { vehicle_id, ...query } = JSON.parse(id!) as ProductQuery & { vehicle_id: number }
        const { value, error } = await vehicles.one('', String(vehicle_id), step)
        if (error) throw error
        if (value === null) return new Map([[id!, { ...NOTHING, vehicle: null }]])
        const bySku = new Map(value.parts.map((part) => [part.sku, part.fitment]))
        if (bySku.size === 0) return new Map([[id!, { ...NOTHING, vehicle: value.vehicle }]])
        const asked = among({ ...query, skus: [...bySku.keys()] }, asker)
        running = asked
        for (const call of asked.calls) step.calls.add(call)
        const page = await asked.answer
        if (page.skus.some((sku) => !bySku.has(sku)))
          throw new UpstreamError('invalid', 'the inventory answered SKUs that were not asked for', {
            system: 'inventory',
          })
        const fitments = page.skus.map((sku) => bySku.get(sku)!)
        const total = value.whole ? page.total : null
        return new Map([[id!, { ...page, total, vehicle: value.vehicle, fitments }]])
      }
      const abandon: Running<unknown>['abandon'] = (outOfTime) => {
        step.leave()
        running?.abandon(outOfTime)
      }
      return { answer: answer(), abandon, calls: step.calls }
    },
  })

  return {
    vehicleFacet: (query, asking) => facets.one('', JSON.stringify(query), asking),
    fitments: (sku, page, asking) => skus.one('', JSON.stringify({ sku, page }), asking),
    async vehicleItems(query, asking) {
      const fault = asking.faults.fitment ? undefined : asking.faults.inventory
      if (fault) return { value: null, error: askedFor(fault, 'inventory'), asOf: 0, system: 'inventory' }
      return pages.one('', JSON.stringify(query), asking)
    },
    loaders: [facets, vehicles, skus, pages],
  }
}

const NOTHING: SkuPage & { fitments: [] } = { skus: [], newest: 0, total: 0, has_more: false, fitments: [] }
