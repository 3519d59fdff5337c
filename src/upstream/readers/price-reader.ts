import type { Price, PricingPort } from '../../ports/pricing.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { CachedLoader, LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { BATCH_WINDOW_MS, type BatchCall } from '../read-stack/request-batcher.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CachePeek } from './cache-peek.ts'
import { mapBySku } from './map-by-sku.ts'
import type { ReaderParts } from './reader-parts.ts'

export interface PriceReaderParts extends ReaderParts {
  pricing: GuardedPort<PricingPort> | undefined
}

/** Prices by SKU, for one customer or for everybody (`null`). No two customers share a call or a cached value. */
export interface PriceReader {
  prices(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Price>[]>
}

const idOf = (sku: string) => sku

export function createPriceReader({
  pricing,
  invalidations,
  tenantKey,
  cache,
  now,
}: PriceReaderParts): PriceReader & Pick<CachePeek, 'price'> & { detachInFlight(): void } {
  const prices: CachedLoader<string, Price> = createReadStack({
    tenantKey,
    cache,
    now,
    system: 'pricing',
    name: 'price',
    idOf,
    windowMs: BATCH_WINDOW_MS,
    maxKeys: pricing?.port.maxSkus ?? 1,
    freshnessOf: () => sectionFreshnessLimits.price,
    invalidation: { invalidations, tagOf: idOf },
    call: createPriceCall(pricing, (customerId, sku) => prices.lastGood(customerId, sku)),
  })

  return {
    prices: (skus, customerId, scope) => prices.load(customerId ?? EVERYBODY, skus, scope),
    price: (sku) => prices.peek(EVERYBODY, sku),
    detachInFlight: prices.detachInFlight,
  }
}

/** Reads prices in one call. `lastPrice`: the cached price, whatever its age. */
const createPriceCall =
  (
    pricing: GuardedPort<PricingPort> | undefined,
    lastPrice: (customerId: string, sku: string) => Price | null | undefined,
  ): BatchCall<string, Price> =>
  (customerId, skus, caller) =>
    throughGuard(pricing, 'prices', 'catalog', caller, async (port, call) => {
      const prices = await port.prices(skus, customerId || null, call)
      return mapBySku(prices.map((price) => keepUnchanged(price, lastPrice(customerId, price.sku))))
    })

/** An unchanged price keeps its time, so that an equal response has equal bytes and one ETag. */
function keepUnchanged(price: Price, before: Price | null | undefined): Price {
  return before && JSON.stringify({ ...before, as_of: price.as_of }) === JSON.stringify(price) ? before : price
}
