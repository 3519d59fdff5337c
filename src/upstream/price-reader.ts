import type { AccountingPort, Tax } from '../ports/accounting.ts'
import type { Price, PricingPort } from '../ports/pricing.ts'
import type { CachedLoader, LoadResult } from './cached-loader.ts'
import type { ReaderParts } from './item-reader.ts'
import { createReadStack, type GuardedPort, throughGuard } from './read-stack.ts'
import type { RequestScope } from './request-scope.ts'
import { BATCH_WINDOW_MS, sectionFreshness } from './section-freshness.ts'

export interface PriceReaderParts extends ReaderParts {
  pricing: GuardedPort<PricingPort> | undefined
  accounting: GuardedPort<AccountingPort> | undefined
}

/** Prices and taxes by SKU, for one customer or for everybody (`null`). No two customers share a call or a cached value. */
export interface PriceReader {
  prices(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Price>[]>
  taxes(skus: readonly string[], customerId: string | null, scope: RequestScope): Promise<LoadResult<Tax>[]>
}

const EVERYBODY = ''
const idOf = (sku: string) => sku

export function createPriceReader(parts: PriceReaderParts): PriceReader & { detachInFlight(): void } {
  const { pricing, accounting, invalidations } = parts
  const bySku = {
    owner: parts.owner,
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
    freshnessOf: () => sectionFreshness.price,
    call: (customerId, skus, caller) =>
      throughGuard(pricing, 'prices', 'catalog', caller, async (port, call) => {
        const found = await port.prices(skus, customerId || null, call)
        return mapBySku(found.map((price) => keepUnchanged(price, prices.lastGood(customerId, price.sku))))
      }),
  })

  const taxes = createReadStack<string, Tax>({
    ...bySku,
    system: 'accounting',
    name: 'tax',
    maxKeys: accounting?.port.maxSkus ?? 1,
    freshnessOf: () => sectionFreshness.tax,
    call: (customerId, skus, caller) =>
      throughGuard(accounting, 'taxes', 'catalog', caller, async (port, call) =>
        mapBySku(await port.taxes(skus, customerId || null, call)),
      ),
  })

  return {
    prices: (skus, customerId, scope) => prices.load(customerId ?? EVERYBODY, skus, scope),
    taxes: (skus, customerId, scope) => taxes.load(customerId ?? EVERYBODY, skus, scope),
    detachInFlight() {
      prices.detachInFlight()
      taxes.detachInFlight()
    },
  }
}

/** A price that has not changed keeps its time: the same answer then has the same bytes, and one ETag. */
function keepUnchanged(price: Price, before: Price | null | undefined): Price {
  return before && JSON.stringify({ ...before, as_of: price.as_of }) === JSON.stringify(price) ? before : price
}

export function mapBySku<T extends { sku: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.sku, row]))
}
