import pLimit, { type LimitFunction } from 'p-limit'
import {
  type BandLimits,
  type StockAvailability,
  toAvailabilityWithBranches,
} from '../../catalog/availability-bands.ts'
import { UpstreamError } from '../../errors.ts'
import type { AccountingPort, Tax } from '../../ports/accounting.ts'
import type { Call } from '../../ports/call.ts'
import {
  type ChangePage,
  type ChangeQuery,
  type ChangeTimestamp,
  DEFAULT_OVERLAP_SECONDS,
} from '../../ports/change-feed.ts'
import type { FitmentPort } from '../../ports/fitment.ts'
import type { Category, InventoryItem, InventoryPort, Product, Stock, StockChange, Tag } from '../../ports/inventory.ts'
import type { Invoice, InvoiceChange } from '../../ports/invoice.ts'
import type { Order } from '../../ports/order.ts'
import type { Price, PricingPort } from '../../ports/pricing.ts'
import type { SkuFitments } from '../../ports/sku-fitments.ts'
import type { PortName, System } from '../../ports/system.ts'
import type { PageRange } from '../../ports/vehicle.ts'
import type { Guard } from '../guard/guard.ts'
import type { GuardedPort } from '../guard/guarded-port.ts'
import type { RequestScope } from '../request/request-scope.ts'
import { type LiveCallOptions, runLiveCall } from './run-live-call.ts'

export interface ChangeReaderParts {
  bandLimits: BandLimits
  /** YYYY-MM-DD where the merchant is. */
  today: () => string
  inventory: GuardedPort<InventoryPort> | undefined
  pricing: GuardedPort<PricingPort> | undefined
  accounting: GuardedPort<AccountingPort> | undefined
  /** The source of vehicle fitment other than the inventory. Without a guard, it is imported from a file. */
  fitment?: { port: FitmentPort; guard?: Guard } | undefined
}

/** Where the fitment of a tenant's products comes from; `null`: nowhere. */
export type FitmentSource = 'imported' | 'system' | null

/** Reads a tenant's systems for the change feed: without caches, and after all other calls. Rejects with UpstreamError. */
export interface ChangeReader {
  /** The inventory reports stock changes. */
  readonly reportsStock: boolean
  /** The pricing system reports price changes. */
  readonly reportsPrices: boolean
  readonly fitmentSource: FitmentSource
  /** Seconds by which the change times of this system may lag. */
  overlapSeconds(system: System): number
  products(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<Product>>
  stock(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<StockChange>>
  prices(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<ChangeTimestamp & { sku: string }>>
  orders(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<Order>>
  invoices(query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<InvoiceChange>>
  /** Reads all of these SKUs or fails: a SKU that is missing from the result is not in the inventory. */
  items(skus: readonly string[], requestScope: RequestScope): Promise<InventoryItem[]>
  /** Reads the list prices of all of these SKUs or fails: a SKU that is missing from the result has none. */
  listPrices(skus: readonly string[], requestScope: RequestScope): Promise<Price[]>
  /** Reads the taxes of all of these SKUs, for an anonymous shopper, or fails. */
  listTaxes(skus: readonly string[], requestScope: RequestScope): Promise<Tax[]>
  categories(requestScope: RequestScope): Promise<Category[]>
  tags(requestScope: RequestScope): Promise<Tag[]>
  /** Reads a page of the vehicles that a SKU fits from the system that knows them; `null`: it does not know the SKU. */
  fitments(sku: string, page: PageRange, requestScope: RequestScope): Promise<SkuFitments | null>
  /** Returns `null` if there is no such invoice. */
  invoice(customerId: string, invoiceId: string, requestScope: RequestScope): Promise<Invoice | null>
  /** Turns a stock level into its band. */
  band(stock: Stock, previous: StockAvailability | null): StockAvailability
}

/** Time limit of one call: nobody waits for it, and a long page takes long. */
const CALL_TIMEOUT_MS = 10_000
const PRODUCT_ONLY = { product: true, stock: false }
const ALL_PARTS = { product: true, stock: true }

export function createChangeReader(parts: ChangeReaderParts): ChangeReader {
  const { inventory, pricing, accounting, fitment } = parts
  /** One call per system at a time, so that the other places in its bulkhead are free for requests. */
  const queues: Record<PortName, LimitFunction> = {
    inventory: pLimit(1),
    pricing: pLimit(1),
    accounting: pLimit(1),
    fitment: pLimit(1),
  }
  const fitmentSystem = fitment?.guard && { port: fitment.port, guard: fitment.guard }

  function callSystem<P, V>(
    system: PortName,
    guarded: GuardedPort<P> | undefined,
    method: keyof P,
    requestScope: RequestScope,
    work: (port: Required<P>, call: Call) => Promise<V>,
  ): Promise<V> {
    if (!guarded?.port[method])
      return Promise.reject(new UpstreamError('not_configured', `${system} has no ${String(method)}`))
    const timeoutMs = Math.max(CALL_TIMEOUT_MS, guarded.guard.limits.timeoutMs)
    const live: LiveCallOptions = { requestScope, priority: 'search', timeoutMs, background: true }
    return queues[system](() =>
      runLiveCall({ system, operation: 'changes' }, guarded.guard, live, (call) =>
        work(guarded.port as Required<P>, call),
      ),
    )
  }

  return {
    fitmentSource: fitment ? (fitment.guard ? 'system' : 'imported') : inventory?.port.fitments ? 'system' : null,
    reportsStock: inventory?.port.stockChanges !== undefined,
    reportsPrices: pricing?.port.priceChanges !== undefined,
    overlapSeconds: (system) => parts[system]?.port.watermarkOverlapSeconds ?? DEFAULT_OVERLAP_SECONDS,
    products: (query, requestScope) =>
      callSystem('inventory', inventory, 'search', requestScope, async (port, call) => {
        const { since: updated_since, ...page } = query
        const { items, ...more } = await port.search({ updated_since, ...page }, PRODUCT_ONLY, call)
        return { changes: items.flatMap(({ product }) => product ?? []), ...more }
      }),
    stock: (query, requestScope) =>
      callSystem('inventory', inventory, 'stockChanges', requestScope, (port, call) => port.stockChanges(query, call)),
    prices: (query, requestScope) =>
      callSystem('pricing', pricing, 'priceChanges', requestScope, (port, call) => port.priceChanges(query, call)),
    orders: (query, requestScope) =>
      callSystem('accounting', accounting, 'orderChanges', requestScope, (port, call) =>
        port.orderChanges(query, call),
      ),
    invoices: (query, requestScope) =>
      callSystem('accounting', accounting, 'invoiceChanges', requestScope, (port, call) =>
        port.invoiceChanges(query, call),
      ),
    items: (skus, requestScope) =>
      readPages(skus, inventory, (page) =>
        callSystem('inventory', inventory, 'items', requestScope, (port, call) => port.items(page, ALL_PARTS, call)),
      ),
    listPrices: (skus, requestScope) =>
      readPages(skus, pricing, (page) =>
        callSystem('pricing', pricing, 'prices', requestScope, (port, call) => port.prices(page, null, call)),
      ),
    listTaxes: (skus, requestScope) =>
      readPages(skus, accounting, (page) =>
        callSystem('accounting', accounting, 'taxes', requestScope, (port, call) => port.taxes(page, null, call)),
      ),
    categories: (requestScope) =>
      callSystem('inventory', inventory, 'categories', requestScope, (port, call) => port.categories(call)),
    tags: (requestScope) => callSystem('inventory', inventory, 'tags', requestScope, (port, call) => port.tags(call)),
    fitments: (sku, page, requestScope) =>
      fitmentSystem
        ? callSystem('fitment', fitmentSystem, 'fitments', requestScope, (port, call) => port.fitments(sku, page, call))
        : callSystem('inventory', inventory, 'fitments', requestScope, (port, call) => port.fitments(sku, page, call)),
    invoice: (customerId, invoiceId, requestScope) =>
      callSystem('accounting', accounting, 'invoice', requestScope, (port, call) =>
        port.invoice(customerId, invoiceId, call),
      ),
    band: (stock, previous) => toAvailabilityWithBranches(stock, previous, parts.bandLimits, parts.today()),
  }
}

/** Reads SKUs in pages of the system's size, one after another. */
async function readPages<T>(
  skus: readonly string[],
  guarded: { port: { readonly maxSkus: number } } | undefined,
  read: (page: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  const pageSize = guarded?.port.maxSkus ?? 1
  const found: T[] = []
  for (let from = 0; from < skus.length; from += pageSize)
    found.push(...(await read(skus.slice(from, from + pageSize))))
  return found
}
