import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { CATEGORIES, type CatalogModel, type ModelRecord } from './catalog-model.ts'

/** The three systems of a merchant, with the catalog of a model. They speak the protocol of the REST adapter. */
export interface CatalogUpstream extends AsyncDisposable {
  address: string
}

interface Query {
  updated_since?: string
  since?: string
  limit?: string
  offset?: string
  category?: string
  skus?: string[]
}

/** `hasFeeds`: the systems report changes of stock and prices. Otherwise these must be polled SKU by SKU. */
export async function startCatalogUpstream(
  model: CatalogModel,
  { hasFeeds }: { hasFeeds: boolean },
): Promise<CatalogUpstream> {
  const handlers = createHandlers(model, hasFeeds)

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, 'http://upstream')
    const body = request.method === 'POST' ? await json(request) : {}
    const query = { ...Object.fromEntries(searchParams), ...(body as object) } as Query
    const path = pathname.slice('/acme'.length)
    const handler = path.endsWith('/fitments') ? () => NO_FITMENT : handlers[path]
    const found = handler?.(query)
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { error: 'not_offered', detail: pathname }))
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Handlers = Record<string, ((query: Query) => object) | undefined>

function createHandlers(model: CatalogModel, hasFeeds: boolean): Handlers {
  const records = () => [...model.records.values()]

  function toItem(record: ModelRecord) {
    const { sku, name, category, active, updatedAt } = record
    const product = {
      name,
      slug: sku.toLowerCase(),
      categories: [toCategory(category)],
      tags: [],
      uom: 'EA',
      order_uoms: [],
      media: [],
      active,
      updated_at: toTime(updatedAt),
    }
    return { sku, product, stock: toStock(model.stock.get(sku)!.value) }
  }

  return {
    '/products'({ updated_since, category, ...page }) {
      const since = Date.parse(updated_since ?? '')
      const isWanted = (record: ModelRecord) =>
        Number.isNaN(since) ? record.active && (!category || record.category === category) : record.updatedAt >= since
      const found = records()
        .filter(isWanted)
        .sort(Number.isNaN(since) ? bySku : byTime)
      return toPage(found, page, toItem)
    },
    '/products/search'({ skus = [], ...page }) {
      const found = records().filter(({ sku, active }) => active && skus.includes(sku))
      return toPage(found.sort(bySku), page, toItem)
    },
    '/products/lookup': ({ skus = [] }) => ({ data: skus.flatMap(model.recordsOf).map(toItem) }),
    '/categories': () => ({
      data: CATEGORIES.map((id, position) => ({
        ...toCategory(id),
        position,
        product_count: model.countIn(id),
      })),
    }),
    '/tags': () => ({ data: [] }),
    '/vehicle-facets': () => ({ data: [] }),
    '/prices': ({ skus = [] }) => ({ data: skus.flatMap((sku) => toPrice(sku, model)) }),
    '/taxes': ({ skus = [] }) => ({ data: skus.map((sku) => ({ sku, code: 'A', name: 'Tax', rate: '0.15' })) }),
    ...(hasFeeds && {
      '/changes/stock': (query: Query) => toFeed(model.stock, query, (value) => ({ stock: toStock(value) })),
      '/changes/prices': (query: Query) => toFeed(model.prices, query, () => ({})),
    }),
  }
}

function toPrice(sku: string, { prices }: CatalogModel) {
  const price = prices.get(sku)
  if (!price) return []
  const amounts = { amount: price.value, price_type: 'LIST', list_amount: price.value, tax_included: false, breaks: [] }
  return [{ sku, ...amounts, uom: 'EA', as_of: toTime(price.updatedAt) }]
}

function toFeed<V>(
  rows: ReadonlyMap<string, { value: V; updatedAt: number }>,
  { since = '', ...page }: Query,
  map: (value: V) => object,
) {
  const changes = [...rows].map(([sku, row]) => ({ sku, ...row }))
  const found = changes.filter(({ updatedAt }) => updatedAt >= Date.parse(since)).sort(byTime)
  return toPage(found, page, ({ sku, value, updatedAt }) => ({ sku, updated_at: toTime(updatedAt), ...map(value) }))
}

function toPage<R>(rows: readonly R[], { limit = '200', offset = '0' }: Query, map: (row: R) => object) {
  const [from, count] = [Number(offset), Number(limit)]
  const data = rows.slice(from, from + count).map(map)
  return { data, total: rows.length, has_more: rows.length > from + count }
}

const NO_FITMENT = { universal: false, data: [], total: 0, has_more: false }

const toTime = (ms: number) => new Date(ms).toISOString()
const toStock = (available: number) => ({ available, expected: [] })
const toCategory = (id: string) => ({ category_id: id, name: id, slug: id, parent_id: null })
const bySku = (a: { sku: string }, b: { sku: string }) => (a.sku < b.sku ? -1 : 1)
const byTime = (a: { sku: string; updatedAt: number }, b: { sku: string; updatedAt: number }) =>
  a.updatedAt - b.updatedAt || bySku(a, b)
