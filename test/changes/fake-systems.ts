import { bandDefaults, toAvailabilityWithBranches } from '../../src/catalog/availability-bands.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Tax } from '../../src/ports/accounting.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../src/ports/change-feed.ts'
import type { Category, InventoryItem, Product, Stock, StockChange, Tag } from '../../src/ports/inventory.ts'
import type { Invoice, InvoiceChange } from '../../src/ports/invoice.ts'
import type { Order } from '../../src/ports/order.ts'
import type { Price } from '../../src/ports/pricing.ts'
import type { SkuFitments } from '../../src/ports/sku-fitments.ts'
import type { PageRange } from '../../src/ports/vehicle.ts'
import type { ChangeReader, FitmentSource } from '../../src/upstream/readers/change-reader.ts'
import type { RequestScope } from '../../src/upstream/request/request-scope.ts'
import { priceOf } from './sample-products.ts'

/** The rows of one kind in a fake system, with the queries that it received. */
export interface FakeTable<T> {
  rows: T[]
  queries: ChangeQuery[]
  /** The number of rows that were returned. */
  rowsReturned: number
  /** Runs before each response: changes rows meanwhile, or throws. */
  beforeResponse: (query: ChangeQuery) => void | Promise<void>
  /** `null`: the system does not report such changes. */
  read: ((query: ChangeQuery) => Promise<ChangePage<T>>) | null
}

function tableOf<T extends ChangeTimestamp>(): FakeTable<T> {
  const table: FakeTable<T> = {
    rows: [],
    queries: [],
    rowsReturned: 0,
    beforeResponse: () => {},
    async read(query) {
      table.queries.push(query)
      await table.beforeResponse(query)
      const since = Date.parse(query.since)
      const all = table.rows.filter(({ updated_at }) => !(Date.parse(updated_at) < since))
      // Sorting keeps the order of rows of one instant.
      all.sort((a, b) => (Date.parse(a.updated_at) || since) - (Date.parse(b.updated_at) || since))
      const changes = all.slice(query.offset, query.offset + query.limit)
      table.rowsReturned += changes.length
      return { changes: structuredClone(changes), has_more: all.length > query.offset + query.limit }
    },
  }
  return table
}

/** The fake systems of a merchant, and the clock of the test. */
export interface FakeSystems {
  now: number
  products: FakeTable<Product>
  stock: FakeTable<StockChange>
  prices: FakeTable<ChangeTimestamp & { sku: string }>
  orders: FakeTable<Order>
  invoices: FakeTable<InvoiceChange>
  /** Replaces the response of `items`; `null`: the rows of the tables. */
  items: ((skus: readonly string[]) => Promise<InventoryItem[]>) | null
  itemQueries: string[][]
  /** List prices by SKU. */
  amounts: Map<string, string>
  /** Replaces the response of `listPrices`; `null`: the amounts. */
  listPrices: ((skus: readonly string[]) => Promise<Price[]>) | null
  priceQueries: string[][]
  /** `null`: there is no accounting. */
  taxRate: string | null
  categories: Category[]
  /** `null`: the inventory has no tags. */
  tags: Tag[] | null
  invoice: (customerId: string, id: string) => Promise<Invoice | null>
  today: string
  fitmentSource: FitmentSource
  /** Replaces the response of `fitments`. */
  fitments: (sku: string, page: PageRange) => Promise<SkuFitments | null>
  changes: ChangeReader
  /** A time by the system's clock, `ms` milliseconds from now. */
  at(ms?: number): string
}

export function createFakeSystems({ reportsStock = true, reportsPrices = true, overlapSeconds = 5 } = {}): FakeSystems {
  const levelOf = (sku: string): Stock | null => systems.stock.rows.findLast((row) => row.sku === sku)?.stock ?? null
  const ask = <T>(table: FakeTable<T>, query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<T>> => {
    if (!table.read) return Promise.reject(new UpstreamError('not_configured', 'not there'))
    const { promise: abandoned, reject } = Promise.withResolvers<never>()
    const onLeave = () => reject(new UpstreamError('aborted', 'the caller has left'))
    requestScope.onLeave(onLeave)
    return Promise.race([table.read(query), abandoned]).finally(() => requestScope.offLeave(onLeave))
  }
  const systems: FakeSystems = {
    now: Date.parse('2026-03-02T12:00:00.000Z'),
    products: tableOf<Product>(),
    stock: tableOf<StockChange>(),
    prices: tableOf<ChangeTimestamp & { sku: string }>(),
    orders: tableOf<Order>(),
    invoices: tableOf<InvoiceChange>(),
    items: null,
    itemQueries: [],
    amounts: new Map(),
    listPrices: null,
    priceQueries: [],
    taxRate: '0.15',
    categories: [],
    tags: [],
    invoice: async (_, id) => systems.invoices.rows.find(({ invoice_id }) => invoice_id === id) ?? null,
    today: '2026-03-02',
    fitmentSource: null,
    fitments: () => Promise.reject(new UpstreamError('not_configured', 'not there')),
    at: (ms = 0) => new Date(systems.now + ms).toISOString(),
    changes: {
      reportsStock,
      reportsPrices,
      get fitmentSource() {
        return systems.fitmentSource
      },
      fitments: (sku, page) => systems.fitments(sku, page),
      overlapSeconds: () => overlapSeconds,
      products: (query, requestScope) => ask(systems.products, query, requestScope),
      stock: (query, requestScope) =>
        ask({ ...systems.stock, read: reportsStock ? systems.stock.read : null }, query, requestScope),
      prices: (query, requestScope) =>
        ask({ ...systems.prices, read: reportsPrices ? systems.prices.read : null }, query, requestScope),
      async listPrices(skus) {
        systems.priceQueries.push([...skus])
        if (systems.listPrices) return systems.listPrices(skus)
        return skus.flatMap((sku) =>
          systems.amounts.has(sku) ? priceOf(sku, systems.amounts.get(sku)!, systems.at()) : [],
        )
      },
      async listTaxes(skus) {
        const rate = systems.taxRate
        if (rate === null) throw new UpstreamError('not_configured', 'not there')
        return skus.map((sku) => ({ sku, code: 'GCT', name: 'GCT', rate }) satisfies Tax)
      },
      categories: async () => structuredClone(systems.categories),
      async tags() {
        if (systems.tags === null) throw new UpstreamError('not_configured', 'not there')
        return structuredClone(systems.tags)
      },
      orders: (query, requestScope) => ask(systems.orders, query, requestScope),
      invoices: (query, requestScope) => ask(systems.invoices, query, requestScope),
      async items(skus) {
        systems.itemQueries.push([...skus])
        if (systems.items) return systems.items(skus)
        return skus.flatMap((sku) => {
          const product = systems.products.rows.findLast((row) => row.sku === sku)
          return product ? [{ sku, product, stock: levelOf(sku) }] : []
        })
      },
      invoice: (customerId, id) => systems.invoice(customerId, id),
      band: (stock, previous) => toAvailabilityWithBranches(stock, previous, bandDefaults, systems.today),
    },
  }
  return systems
}
