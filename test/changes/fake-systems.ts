import { bandDefaults, toAvailability } from '../../src/catalog/availability-bands.ts'
import { createChangeFeed } from '../../src/changes/change-feed.ts'
import type { FeedScheduler, FeedSchedulerParts } from '../../src/changes/feed-scheduler.ts'
import type { Mode } from '../../src/config/config.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { ChangePage, ChangeQuery, ChangeTimestamp } from '../../src/ports/change-feed.ts'
import type { InventoryItem, Product, Stock, StockChange } from '../../src/ports/inventory.ts'
import type { Invoice, InvoiceChange } from '../../src/ports/invoice.ts'
import type { Order } from '../../src/ports/order.ts'
import type { Database } from '../../src/storage/database.ts'
import type { ChangeReader } from '../../src/upstream/change-reader.ts'
import type { RequestScope } from '../../src/upstream/request-scope.ts'

/** Rows of one kind as a system keeps them, with what it was asked. */
export interface FakeTable<T> {
  rows: T[]
  asked: ChangeQuery[]
  /** Rows that were given. */
  given: number
  /** Before each answer: what happens at the system meanwhile, or how it fails. */
  meanwhile: (query: ChangeQuery) => void | Promise<void>
  /** `null`: the system tells of no such changes. */
  read: ((query: ChangeQuery) => Promise<ChangePage<T>>) | null
}

function tableOf<T extends ChangeTimestamp>(): FakeTable<T> {
  const table: FakeTable<T> = {
    ...{ rows: [], asked: [], given: 0, meanwhile: () => {} },
    async read(query) {
      table.asked.push(query)
      await table.meanwhile(query)
      const since = Date.parse(query.since)
      const all = table.rows.filter(({ updated_at }) => !(Date.parse(updated_at) < since))
      // Sorting keeps the order of rows of one instant.
      all.sort((a, b) => (Date.parse(a.updated_at) || since) - (Date.parse(b.updated_at) || since))
      const changes = all.slice(query.offset, query.offset + query.limit)
      table.given += changes.length
      return { changes: structuredClone(changes), has_more: all.length > query.offset + query.limit }
    },
  }
  return table
}

/** A merchant's systems, whose clock is `clockMs` ahead of ours. */
export interface FakeSystems {
  now: number
  products: FakeTable<Product>
  stock: FakeTable<StockChange>
  prices: FakeTable<ChangeTimestamp & { sku: string }>
  orders: FakeTable<Order>
  invoices: FakeTable<InvoiceChange>
  /** What `items` answers; `null`: what the tables hold. */
  items: ((skus: readonly string[]) => Promise<InventoryItem[]>) | null
  itemsAsked: string[][]
  invoice: (customerId: string, id: string) => Promise<Invoice | null>
  today: string
  changes: ChangeReader
  /** An instant of the system's, that many milliseconds from now. */
  at(ms?: number): string
}

export function createFakeSystems({ tellsOfStock = true, overlapSeconds = 5 } = {}): FakeSystems {
  const levelOf = (sku: string): Stock | null => world.stock.rows.findLast((row) => row.sku === sku)?.stock ?? null
  const ask = <T>(table: FakeTable<T>, query: ChangeQuery, requestScope: RequestScope): Promise<ChangePage<T>> => {
    if (!table.read) return Promise.reject(new UpstreamError('not_configured', 'not there'))
    const { promise: left, reject } = Promise.withResolvers<never>()
    const onLeave = () => reject(new UpstreamError('aborted', 'nobody waits any longer'))
    requestScope.onLeave(onLeave)
    return Promise.race([table.read(query), left]).finally(() => requestScope.offLeave(onLeave))
  }
  const world: FakeSystems = {
    now: Date.parse('2026-03-02T12:00:00.000Z'),
    products: tableOf<Product>(),
    stock: tableOf<StockChange>(),
    prices: tableOf<ChangeTimestamp & { sku: string }>(),
    orders: tableOf<Order>(),
    invoices: tableOf<InvoiceChange>(),
    items: null,
    itemsAsked: [],
    invoice: async (_, id) => world.invoices.rows.find(({ invoice_id }) => invoice_id === id) ?? null,
    today: '2026-03-02',
    at: (ms = 0) => new Date(world.now + ms).toISOString(),
    changes: {
      tellsOfStock,
      overlapSeconds: () => overlapSeconds,
      products: (query, requestScope) => ask(world.products, query, requestScope),
      stock: (query, requestScope) =>
        ask({ ...world.stock, read: tellsOfStock ? world.stock.read : null }, query, requestScope),
      prices: (query, requestScope) => ask(world.prices, query, requestScope),
      orders: (query, requestScope) => ask(world.orders, query, requestScope),
      invoices: (query, requestScope) => ask(world.invoices, query, requestScope),
      async items(skus) {
        world.itemsAsked.push([...skus])
        if (world.items) return world.items(skus)
        return skus.flatMap((sku) => {
          const product = world.products.rows.findLast((row) => row.sku === sku)
          return product ? [{ sku, product, stock: levelOf(sku) }] : []
        })
      },
      invoice: (customerId, id) => world.invoice(customerId, id),
      band: (stock, previous) => toAvailability(stock, previous, bandDefaults, world.today),
    },
  }
  return world
}

export interface HeardChanges {
  owner: string
  skus: string[]
  details: boolean
}

export function createTestFeed(
  db: Database,
  world: FakeSystems,
  more: Partial<FeedSchedulerParts> = {},
): FeedScheduler & { heard: HeardChanges[]; errors: unknown[] } {
  const heard: HeardChanges[] = []
  const errors: unknown[] = []
  const feed = createChangeFeed({
    ...{ db, now: () => world.now, holder: 'one', intervalMs: null, random: () => 0.5 },
    upstreams: [toFeedTenant(world)],
    onChanged: (owner, skus, { details }) => void heard.push({ owner, skus, details }),
    onError: (error) => void errors.push(error),
    ...more,
  })
  return Object.assign(feed, { heard, errors })
}

export const toFeedTenant = (world: FakeSystems, merchant = 'acme', mode: Mode = 'sandbox') => ({
  ...{ merchant, mode },
  backOffice: { changes: world.changes, today: () => world.today },
})

export const productOf = (sku: string, updated_at: string, change: Partial<Product> = {}): Product => ({
  ...{ sku, name: `Part ${sku}`, slug: sku.toLowerCase(), description: null, brand: null, mpn: null, barcode: null },
  ...{ media: null, categories: [], tags: [], uom: 'EA', order_uoms: [], active: true, updated_at, ...change },
})

/** Events, oldest first, as "type id". */
export async function readEventLines(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'resource_id'])
    .orderBy('created_at')
    .orderBy('sequence')
    .orderBy('resource_id')
    .execute()
  return rows.map(({ type, resource_id }) => `${type} ${resource_id}`)
}

export async function readEventData(db: Database, type: string) {
  const rows = await db
    .selectFrom('events')
    .select('data')
    .where('type', '=', type)
    .orderBy('created_at')
    .orderBy('sequence')
    .orderBy('resource_id')
    .execute()
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely
  return rows.map(({ data }) => JSON.parse(data) as any)
}
