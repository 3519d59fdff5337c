import pLimit, { type LimitFunction } from 'p-limit'
import type { Band } from '../catalog/availability-bands.ts'
import { type Banded, type BandLimits, bandOf } from '../catalog/availability-bands.ts'
import { UpstreamError } from '../errors.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import { type Changed, type ChangePage, type ChangeQuery, DEFAULT_OVERLAP_SECONDS } from '../ports/change-feed.ts'
import type { InventoryPort, Item, Product, Stock, StockChange } from '../ports/inventory.ts'
import type { ChangedInvoice, Invoice } from '../ports/invoice.ts'
import type { Order } from '../ports/order.ts'
import type { PricingPort } from '../ports/pricing.ts'
import type { System } from '../ports/system.ts'
import { type Live, runLive } from './accounting-client.ts'
import type { Asking } from './request-scope.ts'
import type { Guard } from './guard.ts'

interface Guarded<P> {
  port: P
  guard: Guard
}

export interface ChangeOfficeParts {
  bands: BandLimits
  /** YYYY-MM-DD where the merchant is. */
  today: () => string
  inventory?: Guarded<InventoryPort>
  pricing?: Guarded<PricingPort>
  accounting?: Guarded<AccountingPort>
}

/** How a change feed reads a merchant's systems: past every cache, behind everybody else. Rejects with UpstreamError alone. */
export interface ChangeOffice {
  /** Whether the inventory tells of stock that moved. */
  readonly tellsOfStock: boolean
  /** Seconds that the change times of this system may lag behind. */
  overlapSeconds(system: System): number
  products(query: ChangeQuery, asking: Asking): Promise<ChangePage<Product>>
  stock(query: ChangeQuery, asking: Asking): Promise<ChangePage<StockChange>>
  prices(query: ChangeQuery, asking: Asking): Promise<ChangePage<Changed & { sku: string }>>
  orders(query: ChangeQuery, asking: Asking): Promise<ChangePage<Order>>
  invoices(query: ChangeQuery, asking: Asking): Promise<ChangePage<ChangedInvoice>>
  /** All of these SKUs, or nothing: what is left out of the answer is not in the inventory. */
  items(skus: readonly string[], asking: Asking): Promise<Item[]>
  /** `null`: there is no such invoice. */
  invoice(customerId: string, invoiceId: string, asking: Asking): Promise<Invoice | null>
  /** Where a stock level ends. */
  band(stock: Stock, previous: Band | undefined): Banded
}

/** Nobody waits for it, and long pages take long. */
const ANSWER_MS = 10_000
const PRODUCT_ALONE = { product: true, stock: false }
const BOTH = { product: true, stock: true }

export function createChangeOffice(parts: ChangeOfficeParts): ChangeOffice {
  const { inventory, pricing, accounting } = parts
  /** One question to a system at a time: the other places at its guard are for those who wait. */
  const lines: Record<System, LimitFunction> = { inventory: pLimit(1), pricing: pLimit(1), accounting: pLimit(1) }

  function ask<P, V>(
    system: System,
    guarded: Guarded<P> | undefined,
    method: keyof P,
    asking: Asking,
    work: (port: Required<P>, call: Call) => Promise<V>,
  ): Promise<V> {
    if (!guarded?.port[method])
      return Promise.reject(new UpstreamError('not_configured', `${system} has no ${String(method)}`))
    const timeoutMs = Math.max(ANSWER_MS, guarded.guard.limits.timeoutMs)
    const live: Live = { asking, priority: 'search', timeoutMs, background: true }
    return lines[system](() =>
      runLive({ system, operation: 'changes' }, guarded.guard, live, (call) => work(guarded.port as Required<P>, call)),
    )
  }

  return {
    tellsOfStock: inventory?.port.stockChanges !== undefined,
    overlapSeconds: (system) => parts[system]?.port.watermarkOverlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
    products: (query, asking) =>
      ask('inventory', inventory, 'search', asking, async (port, call) => {
        const { since: updated_since, limit, offset } = query
        const { items, has_more } = await port.search({ updated_since, limit, offset }, PRODUCT_ALONE, call)
        return { changes: items.flatMap(({ product }) => product ?? []), has_more }
      }),
    stock: (query, asking) =>
      ask('inventory', inventory, 'stockChanges', asking, (port, call) => port.stockChanges(query, call)),
    prices: (query, asking) =>
      ask('pricing', pricing, 'priceChanges', asking, (port, call) => port.priceChanges(query, call)),
    orders: (query, asking) =>
      ask('accounting', accounting, 'orderChanges', asking, (port, call) => port.orderChanges(query, call)),
    invoices: (query, asking) =>
      ask('accounting', accounting, 'invoiceChanges', asking, (port, call) => port.invoiceChanges(query, call)),
    async items(skus, asking) {
      const most = inventory?.port.maxSkus ?? 1
      const found: Item[] = []
      for (let from = 0; from < skus.length; from += most) {
        const some = skus.slice(from, from + most)
        found.push(
          ...(await ask('inventory', inventory, 'items', asking, (port, call) => port.items(some, BOTH, call))),
        )
      }
      return found
    },
    invoice: (customerId, invoiceId, asking) =>
      ask('accounting', accounting, 'invoice', asking, (port, call) => port.invoice(customerId, invoiceId, call)),
    band: (stock, previous) => bandOf(stock, previous, parts.bands, parts.today()),
  }
}
