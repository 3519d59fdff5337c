import pLimit, { type LimitFunction } from 'p-limit'
import type { AvailabilityBand } from '../catalog/availability-bands.ts'
import { type BandLimits, type StockAvailability, toAvailability } from '../catalog/availability-bands.ts'
import { UpstreamError } from '../errors.ts'
import type { AccountingPort } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import {
  type ChangePage,
  type ChangeQuery,
  type ChangeTimestamp,
  DEFAULT_OVERLAP_SECONDS,
} from '../ports/change-feed.ts'
import type { InventoryItem, InventoryPort, Product, Stock, StockChange } from '../ports/inventory.ts'
import type { Invoice, InvoiceChange } from '../ports/invoice.ts'
import type { Order } from '../ports/order.ts'
import type { PricingPort } from '../ports/pricing.ts'
import type { System } from '../ports/system.ts'
import type { GuardedPort } from './read-stack.ts'
import type { RequestScope } from './request-scope.ts'
import { type LiveCallOptions, runLiveCall } from './run-live-call.ts'

export interface ChangeReaderParts {
  bandLimits: BandLimits
  /** YYYY-MM-DD where the merchant is. */
  today: () => string
  inventory: GuardedPort<InventoryPort> | undefined
  pricing: GuardedPort<PricingPort> | undefined
  accounting: GuardedPort<AccountingPort> | undefined
}

/** How a change feed reads a merchant's systems: past every cache, behind everybody else. Rejects with UpstreamError alone. */
export interface ChangeReader {
  /** Whether the inventory tells of stock that moved. */
  readonly tellsOfStock: boolean
  /** Seconds that the change times of this system may lag behind. */
  overlapSeconds(system: System): number
  products(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<Product>>
  stock(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<StockChange>>
  prices(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<ChangeTimestamp & { sku: string }>>
  orders(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<Order>>
  invoices(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<InvoiceChange>>
  /** All of these SKUs, or nothing: what is left out of the answer is not in the inventory. */
  items(skus: readonly string[], requestScope: RequestScope): Promise<InventoryItem[]>
  /** `null`: there is no such invoice. */
  invoice(customerId: string, invoiceId: string, requestScope: RequestScope): Promise<Invoice | null>
  /** Where a stock level ends. */
  band(stock: Stock, previous: AvailabilityBand | undefined): StockAvailability
}

/** Nobody waits for it, and long pages take long. */
const ANSWER_MS = 10_000
const PRODUCT_ALONE = { product: true, stock: false }
const BOTH = { product: true, stock: true }

export function createChangeReader(parts: ChangeReaderParts): ChangeReader {
  const { inventory, pricing, accounting } = parts
  /** One question to a system at a time: the other places at its guard are for those who wait. */
  const lines: Record<System, LimitFunction> = { inventory: pLimit(1), pricing: pLimit(1), accounting: pLimit(1) }

  function ask<P, V>(
    system: System,
    guarded: GuardedPort<P> | undefined,
    method: keyof P,
    requestScope: RequestScope,
    work: (port: Required<P>, call: Call) => Promise<V>,
  ): Promise<V> {
    if (!guarded?.port[method])
      return Promise.reject(new UpstreamError('not_configured', `${system} has no ${String(method)}`))
    const timeoutMs = Math.max(ANSWER_MS, guarded.guard.limits.timeoutMs)
    const live: LiveCallOptions = { requestScope, priority: 'search', timeoutMs, background: true }
    return lines[system](() =>
      runLiveCall({ system, operation: 'changes' }, guarded.guard, live, (call) =>
        work(guarded.port as Required<P>, call),
      ),
    )
  }

  return {
    tellsOfStock: inventory?.port.stockChanges !== undefined,
    overlapSeconds: (system) => parts[system]?.port.watermarkOverlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
    products: (query, requestScope) =>
      ask('inventory', inventory, 'search', requestScope, async (port, call) => {
        const { since: updated_since, limit, offset } = query
        const { items, has_more } = await port.search({ updated_since, limit, offset }, PRODUCT_ALONE, call)
        return { changes: items.flatMap(({ product }) => product ?? []), has_more }
      }),
    stock: (query, requestScope) =>
      ask('inventory', inventory, 'stockChanges', requestScope, (port, call) => port.stockChanges(query, call)),
    prices: (query, requestScope) =>
      ask('pricing', pricing, 'priceChanges', requestScope, (port, call) => port.priceChanges(query, call)),
    orders: (query, requestScope) =>
      ask('accounting', accounting, 'orderChanges', requestScope, (port, call) => port.orderChanges(query, call)),
    invoices: (query, requestScope) =>
      ask('accounting', accounting, 'invoiceChanges', requestScope, (port, call) => port.invoiceChanges(query, call)),
    async items(skus, requestScope) {
      const most = inventory?.port.maxSkus ?? 1
      const found: InventoryItem[] = []
      for (let from = 0; from < skus.length; from += most) {
        const some = skus.slice(from, from + most)
        found.push(
          ...(await ask('inventory', inventory, 'items', requestScope, (port, call) => port.items(some, BOTH, call))),
        )
      }
      return found
    },
    invoice: (customerId, invoiceId, requestScope) =>
      ask('accounting', accounting, 'invoice', requestScope, (port, call) => port.invoice(customerId, invoiceId, call)),
    band: (stock, previous) => toAvailability(stock, previous, parts.bandLimits, parts.today()),
  }
}
