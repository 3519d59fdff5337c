import pLimit from 'p-limit'
import type { Invalidations } from '../../cache/invalidations.ts'
import { UpstreamError } from '../../errors.ts'
import type { AccountingPort, Tax } from '../../ports/accounting.ts'
import type { Call } from '../../ports/call.ts'
import type { InventoryPort } from '../../ports/inventory.ts'
import type { Picture } from '../../ports/picture.ts'
import type { Price, PricingPort, Quote, QuoteRequest } from '../../ports/pricing.ts'
import type { System } from '../../ports/system.ts'
import type { GuardedPort } from '../guard/guarded-port.ts'
import type { ItemCache, LiveItem } from './item-cache.ts'
import { mapBySku } from './map-by-sku.ts'
import { type CartPricingPort, quoteCart } from './quote-cart.ts'
import { type LiveCallOptions, runLiveCall } from './run-live-call.ts'

export interface LiveReaderParts {
  inventory: GuardedPort<InventoryPort> | undefined
  pricing: GuardedPort<PricingPort> | undefined
  accounting: GuardedPort<AccountingPort> | undefined
  invalidations: Invalidations
  items: ItemCache
}

/** Reads that bypass the cache, for checkout and for pictures. Everything here rejects with UpstreamError. */
export interface LiveReader {
  /** Returns these SKUs as they are now. SKUs that the inventory does not know are left out. */
  itemsNow(skus: readonly string[], live: LiveCallOptions): Promise<Map<string, LiveItem>>
  /** True: quotes have the tax of each line. */
  readonly quotesTaxes: boolean
  quoteNow(question: QuoteRequest, live: LiveCallOptions): Promise<Quote>
  /** Prices for one customer or for everybody (`null`). SKUs without a price are left out. */
  pricesNow(skus: readonly string[], customerId: string | null, live: LiveCallOptions): Promise<Map<string, Price>>
  taxesNow(skus: readonly string[], customerId: string | null, live: LiveCallOptions): Promise<Map<string, Tax>>
  /** The original of a picture. */
  picture(source: string, live: LiveCallOptions): Promise<Picture | null>
}

/** Pictures may take a third of a system's concurrent calls: they last longer than any others. */
const PICTURE_SHARE = 3
const ALL_PARTS = { product: true, stock: true }

export function createLiveReader(parts: LiveReaderParts): LiveReader {
  const { inventory, pricing, accounting, invalidations, items } = parts
  const pictureQueue = pLimit(Math.max(1, Math.floor((inventory?.guard.limits.concurrency ?? 1) / PICTURE_SHARE)))

  return {
    quotesTaxes: pricing?.port.quotesTaxes ?? false,
    async itemsNow(skus, live) {
      const { version } = invalidations
      const called = { system: 'inventory', operation: 'items' } as const
      const found = await readPages(inventory, called, skus, live, (port, page, call) =>
        port.items(page, ALL_PARTS, call),
      )
      return items.storeItems(found, version)
    },
    async quoteNow(question, live) {
      if (!pricing?.port.quote) throw notConfigured('pricing', 'pricing has no quote')
      const { port, guard } = pricing
      return runLiveCall({ system: 'pricing', operation: 'quote' }, guard, live, (call) =>
        quoteCart(port as CartPricingPort, question, call),
      )
    },
    async pricesNow(skus, customerId, live) {
      const called = { system: 'pricing', operation: 'prices' } as const
      const prices = await readPages(pricing, called, skus, live, (port, page, call) =>
        port.prices(page, customerId, call),
      )
      return mapBySku(prices)
    },
    async taxesNow(skus, customerId, live) {
      const called = { system: 'accounting', operation: 'taxes' } as const
      const taxes = await readPages(accounting, called, skus, live, (port, page, call) =>
        port.taxes(page, customerId, call),
      )
      return mapBySku(taxes)
    },
    async picture(source, live) {
      if (!inventory?.port.picture) throw notConfigured('inventory', 'the inventory has no pictures')
      const { port, guard } = inventory
      const called = { system: 'inventory', operation: 'picture' } as const
      return pictureQueue(() => runLiveCall(called, guard, live, (call) => port.picture!(source, call)))
    },
  }
}

/** Reads SKUs in as many concurrent calls as the system's page size needs. */
async function readPages<P extends { readonly maxSkus: number }, T>(
  guarded: GuardedPort<P> | undefined,
  called: { system: System; operation: string },
  skus: readonly string[],
  live: LiveCallOptions,
  read: (port: P, skus: readonly string[], call: Call) => Promise<T[]>,
): Promise<T[]> {
  if (!guarded) throw notConfigured(called.system, 'not there')
  const { port, guard } = guarded
  const pages = Array.from({ length: Math.ceil(skus.length / port.maxSkus) }, (_, page) =>
    skus.slice(page * port.maxSkus, (page + 1) * port.maxSkus),
  )
  const answers = pages.map((page) => runLiveCall(called, guard, live, (call) => read(port, page, call)))
  return (await Promise.all(answers)).flat()
}

const notConfigured = (system: System, message: string) => new UpstreamError('not_configured', message, { system })
