import { setTimeout as delay } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { raceWithAbort } from '../../race-with-abort.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS } from '../../shared-load.ts'
import { OdooDatetime, OdooId, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { readAll } from '../client/read-all.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import { isOnSale } from './is-on-sale.ts'
import { ALL_RECORDS } from './item-specification.ts'

const WrittenProduct = Type.Object({
  id: OdooId,
  default_code: Type.String(),
  write_date: OdooDatetime,
  active: Type.Boolean(),
  sale_ok: Type.Boolean(),
  is_published: Type.Optional(Type.Boolean()),
})
const WrittenProducts = foundShape(WrittenProduct)
export type WrittenProduct = Static<typeof WrittenProduct>

/** The change feeds that ask: each with its own time. */
type Feed = 'products' | 'prices' | 'stock'
type Times = Partial<Record<Feed, number>>

/** Feeds that start together ask within this time. */
const COLLECT_MS = 25

interface Sources {
  rpc: Pick<Rpc, 'search'>
  companyDomain: unknown[]
  publishedOnly: boolean
}

interface SharedRead {
  times: Times
  rows: Promise<WrittenProduct[]>
}

export interface ProductWrites {
  /** Returns the products, archived ones included, that were written at a time or later. */
  readProducts(since: number, call: Call): Promise<WrittenProduct[]>
  /** Returns those of them that are on sale. */
  readPriced(since: number, call: Call): Promise<WrittenProduct[]>
  /** Returns whether a product, a quantity or a stock move may have been written at a time or later. */
  mayHaveStockChanges(since: number, call: Call): Promise<boolean>
}

/** Creates the reads of written products, which the change feeds of products, prices and stock share if they ask at the same time. */
export function createProductWrites({ rpc, companyDomain, publishedOnly }: Sources): ProductWrites {
  let open: SharedRead | null = null

  async function send(times: Times, call: Call): Promise<WrittenProduct[]> {
    const published = publishedOnly ? { is_published: {} } : {}
    const search = {
      domain: [
        ['default_code', '!=', false],
        ALL_RECORDS,
        companyDomain,
        ...toAnyOf(
          Object.entries(times).map(([feed, since]) => conditionsOf[feed as Feed](toFirstOdooSecond(since), published)),
        ),
      ],
      specification: { default_code: {}, write_date: {}, active: {}, sale_ok: {}, ...published },
    }
    // Stock alone needs no list.
    if (Object.keys(times).join() === 'stock')
      return (await rpc.search(WrittenProducts, 'product.product', { ...search, limit: 1 }, call)).records
    return readAll(rpc, WrittenProducts, 'product.product', search, call)
  }

  function start(requestId: string): SharedRead {
    const read: SharedRead = { times: {}, rows: Promise.resolve([]) }
    read.rows = runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, async (own) => {
      await delay(COLLECT_MS)
      // Nobody joins a read that was sent: it may be older than a change.
      open = null
      return send(read.times, own)
    })
    return read
  }

  function read(feed: Feed, since: number, call: Call): Promise<WrittenProduct[]> {
    // A feed that asks twice has two times: it gets another call.
    if (open === null || feed in open.times) open = start(call.requestId)
    open.times[feed] = since
    return raceWithAbort(open.rows, call)
  }

  const isSince = (since: number) => (row: WrittenProduct) => toEpochMs(row.write_date) >= since

  return {
    readProducts: async (since, call) => (await read('products', since, call)).filter(isSince(since)),
    async readPriced(since, call) {
      const rows = (await read('prices', since, call)).filter(isSince(since))
      return rows.filter((row) => isOnSale(row, publishedOnly))
    },
    // A row of another feed hides whether its stock has changed too: then the feed looks for itself.
    mayHaveStockChanges: async (since, call) => (await read('stock', since, call)).length > 0,
  }
}

/** Returns the conditions of each feed, in the prefix notation of a domain. */
const conditionsOf: Record<Feed, (at: string, published: object) => unknown[]> = {
  products: (at) => [['write_date', '>=', at]],
  prices: (at, published) => [
    ...('is_published' in published ? ['&', ['is_published', '=', true]] : []),
    '&',
    '&',
    ['sale_ok', '=', true],
    ['active', '=', true],
    ['write_date', '>=', at],
  ],
  stock: (at) => [
    '&',
    ['sale_ok', '=', true],
    '&',
    ['active', '=', true],
    '|',
    '|',
    ...['write_date', 'stock_quant_ids.write_date', 'stock_move_ids.write_date'].map((field) => [field, '>=', at]),
  ],
}

const toAnyOf = (conditions: unknown[][]): unknown[] => [
  ...Array<string>(conditions.length - 1).fill('|'),
  ...conditions.flat(),
]
