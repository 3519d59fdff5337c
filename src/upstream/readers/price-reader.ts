import type { AccountingPort, Tax } from '../../ports/accounting.ts'
import type { Price, PricingPort } from '../../ports/pricing.ts'
import type { GuardedPort } from '../guard/guarded-port.ts'
import type { CachedLoader, LoadResult } from '../read-stack/cached-loader.ts'
import { createReadStack } from '../read-stack/read-stack.ts'
import { BATCH_WINDOW_MS } from '../read-stack/request-batcher.ts'
import { sectionFreshnessLimits } from '../read-stack/section-freshness-limits.ts'
import { EVERYBODY } from '../read-stack/value-cache.ts'
import type { RequestScope } from '../request/request-scope.ts'
import type { CachePeek } from './cache-peek.ts'
import { createPriceCall, createTaxCall } from './price-batch-calls.ts'
import type { ReaderParts } from './reader-parts.ts'

export interface PriceReaderParts extends ReaderParts {
  pricing: GuardedPort<PricingPort> | undefined
  accounting: GuardedPort<AccountingPort> | undefined
}

/** Prices and taxes by SKU, for one customer or for everybody (`null`). No two customers share a call or a cached value. */
export interface PriceReader {
  prices(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Price>[]>
  taxes(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Tax>[]>
}

const idOf = (sku: string) => sku

export function createPriceReader(
  parts: PriceReaderParts,
): PriceReader & Pick<CachePeek, 'price' | 'tax'> & { detachInFlight(): void } {
  const { pricing, accounting, invalidations } = parts
  const bySku = {
    tenantKey: parts.tenantKey,
    cache: parts.cache,
    now: parts.now,
    windowMs: BATCH_WINDOW_MS,
    idOf,
    invalidation: { invalidations, tagOf: idOf },
  }

  const prices: CachedLoader<string, Price> = createReadStack({
    ...bySku,
    system: 'pricing',
    name: 'price',
    maxKeys: pricing?.port.maxSkus ?? 1,
    freshnessOf: () => sectionFreshnessLimits.price,
    call: createPriceCall(pricing, (customerId, sku) => prices.lastGood(customerId, sku)),
  })

  const taxes = createReadStack<string, Tax>({
    ...bySku,
    system: 'accounting',
    name: 'tax',
    maxKeys: accounting?.port.maxSkus ?? 1,
    freshnessOf: () => sectionFreshnessLimits.tax,
    call: createTaxCall(accounting),
  })

  return {
    prices: (skus, customerId, scope) => prices.load(customerId ?? EVERYBODY, skus, scope),
    taxes: (skus, customerId, scope) => taxes.load(customerId ?? EVERYBODY, skus, scope),
    price: (sku) => prices.peek(EVERYBODY, sku),
    tax: (sku) => taxes.peek(EVERYBODY, sku),
    detachInFlight() {
      prices.detachInFlight()
      taxes.detachInFlight()
    },
  }
}
