import type { AccountingPort, Tax } from '../../ports/accounting.ts'
import type { Price, PricingPort } from '../../ports/pricing.ts'
import { type GuardedPort, throughGuard } from '../guard/guarded-port.ts'
import type { BatchCall } from '../read-stack/request-batcher.ts'

/** Reads prices in one call. `lastPrice`: the cached price, whatever its age. */
export const createPriceCall =
  (
    pricing: GuardedPort<PricingPort> | undefined,
    lastPrice: (customerId: string, sku: string) => Price | null | undefined,
  ): BatchCall<string, Price> =>
  (customerId, skus, caller) =>
    throughGuard(pricing, 'prices', 'catalog', caller, async (port, call) => {
      const prices = await port.prices(skus, customerId || null, call)
      return mapBySku(prices.map((price) => keepUnchanged(price, lastPrice(customerId, price.sku))))
    })

/** Reads taxes in one call. */
export const createTaxCall =
  (accounting: GuardedPort<AccountingPort> | undefined): BatchCall<string, Tax> =>
  (customerId, skus, caller) =>
    throughGuard(accounting, 'taxes', 'catalog', caller, async (port, call) =>
      mapBySku(await port.taxes(skus, customerId || null, call)),
    )

/** An unchanged price keeps its time, so that an equal response has equal bytes and one ETag. */
function keepUnchanged(price: Price, before: Price | null | undefined): Price {
  return before && JSON.stringify({ ...before, as_of: price.as_of }) === JSON.stringify(price) ? before : price
}

export function mapBySku<T extends { sku: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.sku, row]))
}
