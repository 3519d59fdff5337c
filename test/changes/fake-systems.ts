import { bandDefaults, bandOf } from '../../src/catalog/availability-bands.ts'
import { createChangeFeed } from '../../src/changes/change-feed.ts'
import type { Mode } from '../../src/config/config.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Feed, FeedParts } from '../../src/changes/feed-scheduler.ts'
import type { Changed, ChangePage, ChangeQuery } from '../../src/ports/change-feed.ts'
import type { Item, Product, Stock, StockChange } from '../../src/ports/inventory.ts'
import type { ChangedInvoice, Invoice } from '../../src/ports/invoice.ts'
import type { Order } from '../../src/ports/order.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Asking } from '../../src/upstream/request-scope.ts'
import type { ChangeOffice } from '../../src/upstream/change-reader.ts'

/** Rows of one kind as a system keeps them, with what it was asked. */
export interface Table<T> {
  rows: T[]
  asked: ChangeQuery[]
  /** Rows that were given. */
  given: number
  /** Before each answer: what happens at the system meanwhile, or how it fails. */
  meanwhile: (query: ChangeQuery) => void | Promise<void>
  /** `null`: the system tells of no such changes. */
  read: ((query: ChangeQuery) => Promise<ChangePage<T>>) | null
}

function tableOf<T extends Changed>(): Table<T> {
  const table: Table<T> = {
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
export interface World {
  now: number
  products: Table<Product>
  stock: Table<StockChange>
  prices: Table<Changed & { sku: string }>
  orders: Table<Order>
  invoices: Table<ChangedInvoice>
  /** What `items` answers; `null`: what the tables hold. */
  items: ((skus: readonly string[]) => Promise<Item[]>) | null
  itemsAsked: string[][]
  invoice: (customerId: string, id: string) => Promise<Invoice | null>
  today: string
  changes: ChangeOffice
  /** An instant of the system's, that many milliseconds from now. */
  at(ms?: number): string
}

export function createWorld({ tellsOfStock = true, overlapSeconds = 5 } = {}): World {
  const levelOf = (sku: string): Stock | null => world.stock.rows.findLast((row) => row.sku === sku)?.stock ?? null
  const ask = <T>(table: Table<T>, query: ChangeQuery, asking: Asking): Promise<ChangePage<T>> => {
    if (!table.read) return Promise.reject(new UpstreamError('not_configured', 'not there'))
    const { promise: left, reject } = Promise.withResolvers<never>()
    const onLeave = () => reject(new UpstreamError('aborted', 'nobody waits any longer'))
    asking.onLeave(onLeave)
    return Promise.race([table.read(query), left]).finally(() => asking.offLeave(onLeave))
  }
  const world: World = {
    now: Date.parse('2026-03-02T12:00:00.000Z'),
    products: tableOf<Product>(),
    stock: tableOf<StockChange>(),
    prices: tableOf<Changed & { sku: string }>(),
    orders: tableOf<Order>(),
    invoices: tableOf<ChangedInvoice>(),
    items: null,
    itemsAsked: [],
    invoice: async (_, id) => world.invoices.rows.find(({ invoice_id }) => invoice_id === id) ?? null,
    today: '2026-03-02',
    at: (ms = 0) => new Date(world.now + ms).toISOString(),
    changes: {
      tellsOfStock,
      overlapSeconds: () => overlapSeconds,
      products: (query, asking) => ask(world.products, query, asking),
      stock: (query, asking) => ask({ ...world.stock, read: tellsOfStock ? world.stock.read : null }, query, asking),
      prices: (query, asking) => ask(world.prices, query, asking),
      orders: (query, asking) => ask(world.orders, query, asking),
      invoices: (query, asking) => ask(world.invoices, query, asking),
      async items(skus) {
        world.itemsAsked.push([...skus])
        if (world.items) return world.items(skus)
        return skus.flatMap((sku) => {
          const product = world.products.rows.findLast((row) => row.sku === sku)
          return product ? [{ sku, product, stock: levelOf(sku) }] : []
        })
      },
      invoice: (customerId, id) => world.invoice(customerId, id),
      band: (stock, previous) => bandOf(stock, previous, bandDefaults, world.today),
    },
  }
  return world
}

export interface Heard {
  owner: string
  skus: string[]
  details: boolean
}

export function feedOver(
  db: Database,
  world: World,
  more: Partial<FeedParts> = {},
): Feed & { heard: Heard[]; errors: unknown[] } {
  const heard: Heard[] = []
  const errors: unknown[] = []
  const feed = createChangeFeed({
    ...{ db, now: () => world.now, holder: 'one', intervalMs: null, random: () => 0.5 },
    offices: [fedBy(world)],
    onChanged: (owner, skus, { details }) => void heard.push({ owner, skus, details }),
    onError: (error) => void errors.push(error),
    ...more,
  })
  return Object.assign(feed, { heard, errors })
}

export const fedBy = (world: World, merchant = 'acme', mode: Mode = 'sandbox') => ({
  ...{ merchant, mode },
  office: { changes: world.changes, today: () => world.today },
})

export const productOf = (sku: string, updated_at: string, change: Partial<Product> = {}): Product => ({
  ...{ sku, name: `Part ${sku}`, slug: sku.toLowerCase(), description: null, brand: null, mpn: null, barcode: null },
  ...{ media: null, categories: [], tags: [], uom: 'EA', order_uoms: [], active: true, updated_at, ...change },
})

/** Events, oldest first, as "type id". */
export async function told(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'resource_id'])
    .orderBy('created_at')
    .orderBy('sequence')
    .orderBy('resource_id')
    .execute()
  return rows.map(({ type, resource_id }) => `${type} ${resource_id}`)
}

export async function datasOf(db: Database, type: string) {
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
