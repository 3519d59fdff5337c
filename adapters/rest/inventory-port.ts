import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort } from '../../src/ports/inventory.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import { createChangeFeed, WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { ListShape, pagingFields, toPage } from './inventory-pages.ts'
import { includedParts, toGetRequest } from './inventory-requests.ts'
import { connectVehicles } from './inventory-vehicles.ts'
import { ItemRow, StockRow, toItem, toStock } from './item-mapping.ts'
import { parseRowsBySku } from './parse-requested-rows.ts'
import { createPictureReader } from './picture-reader.ts'
import { isNotOffered, type ProtocolClient } from './protocol-client.ts'
import { nullish, toUtcTimestamp, UnknownRows } from './protocol-values.ts'

const PageShape = responseSchema(Type.Object({ data: UnknownRows, ...pagingFields }))
const ItemShape = responseSchema(ItemRow)
const CategoryShape = responseSchema(
  Type.Object({
    category_id: Type.String(),
    name: Type.String(),
    slug: Type.String(),
    parent_id: nullish(Type.String()),
    position: Type.Optional(Type.Integer()),
    product_count: nullish(Type.Integer()),
  }),
)
const StockChangeRow = Type.Object({
  sku: Type.String({ minLength: 1 }),
  updated_at: Type.String(),
  stock: StockRow,
})
const TagShape = responseSchema(
  Type.Object({ tag: Type.String(), name: Type.Optional(Type.String()), count: nullish(Type.Integer()) }),
)

export function connectInventory(protocol: ProtocolClient, facts: MerchantFacts): InventoryPort {
  const { json, jsonOrNull } = protocol

  /** Searches by POST, because a list of SKUs may be too long for a URL. Older systems do not have this call. */
  async function searchAmongSkus(body: object, rows: number, call: Call) {
    const request = { method: 'POST', path: '/products/search', body, rows, isNotFound: isNotOffered } as const
    const response = await jsonOrNull(PageShape, request, call)
    if (response) return response
    throw new UpstreamError('not_configured', 'POST /products/search responded 404: the system does not have this call')
  }

  return {
    maxSkus: 200,
    watermarkOverlapSeconds: WATERMARK_OVERLAP_SECONDS,
    async search(query, parts, call) {
      const { skus, ...filters } = query
      const response = skus
        ? await searchAmongSkus({ ...query, include: includedParts(parts) }, query.limit, call)
        : await json(
            PageShape,
            toGetRequest('/products', { ...filters, include: includedParts(parts).join() }, query.limit),
            call,
          )
      return toPage(response, query.limit, ItemShape, (row) => toItem(row, parts, facts))
    },
    async items(skus, parts, call) {
      if (skus.length === 0) return []
      const body = { skus, include: includedParts(parts) }
      const { data } = await json(
        ListShape,
        { method: 'POST', path: '/products/lookup', body, rows: skus.length },
        call,
      )
      return parseRowsBySku(skus, data, ItemShape, (row) => toItem(row, parts, facts))
    },
    async categories(call) {
      const { data } = await json(ListShape, toGetRequest('/categories'), call)
      return parseRows(data, CategoryShape, ({ parent_id = null, position = 0, product_count = null, ...row }) => {
        const { category_id, name, slug } = row
        return { category_id, name, slug, parent_id, position, product_count }
      })
    },
    async tags(call) {
      const { data } = await json(ListShape, toGetRequest('/tags'), call)
      return parseRows(data, TagShape, ({ tag, name = tag, count = null }) => ({ tag, name, count }))
    },
    ...connectVehicles(protocol, facts),
    picture: createPictureReader(protocol),
    stockChanges: createChangeFeed(protocol, '/changes/stock', StockChangeRow, ({ sku, updated_at, stock }) => ({
      sku,
      updated_at: toUtcTimestamp(updated_at),
      stock: toStock(stock),
    })),
  }
}
