import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { HttpClient, MerchantFacts, ResponseSchema } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { InventoryPort, ItemParts, VehicleFacetQuery } from '../../src/ports/inventory.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import type { RestSettings } from './adapter.ts'
import { createChangeFeed, WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { ItemRow, StockRow, toItem, toStock } from './items.ts'
import { createPictureReader } from './pictures.ts'
import { createProtocolClient, nullish, pickRowsBySku, toUtcTimestamp, UnknownRows } from './protocol.ts'
import { FacetRow, FitmentRow, toFacetValue, toFitment, toVehicle, VehicleRow } from './vehicles.ts'

const paging = { total: nullish(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }

const Listed = responseSchema(Type.Object({ data: UnknownRows }))
const Paged = responseSchema(Type.Object({ data: UnknownRows, ...paging }))
const VehiclePaged = responseSchema(Type.Object({ vehicle: VehicleRow, data: UnknownRows, ...paging }))
const FitmentsPaged = responseSchema(Type.Object({ universal: Type.Boolean(), data: UnknownRows, ...paging }))

const Item = responseSchema(ItemRow)
const FittingItem = responseSchema(
  Type.Intersect([
    ItemRow,
    Type.Object({ fitment: Type.Intersect([FitmentRow, Type.Object({ universal: Type.Boolean() })]) }),
  ]),
)
const FittedVehicle = responseSchema(Type.Intersect([VehicleRow, FitmentRow]))
const Facet = responseSchema(FacetRow)
const Category = responseSchema(
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
const Tag = responseSchema(
  Type.Object({ tag: Type.String(), name: Type.Optional(Type.String()), count: nullish(Type.Integer()) }),
)

export function connectInventory(settings: RestSettings, client: HttpClient, facts: MerchantFacts): InventoryPort {
  const wire = createProtocolClient(client, settings)
  const { json, jsonOrNull } = wire
  const get = (path: string, query: Record<string, string | number | undefined> = {}) => ({
    method: 'GET' as const,
    path,
    query,
  })
  /** SKUs are too many for an address. A system that answered searches before there was this call does not have it. */
  async function among(body: object, call: Call) {
    const answer = await jsonOrNull(Paged, { method: 'POST', path: '/products/search', body }, call)
    if (answer) return answer
    throw new UpstreamError('not_configured', 'POST /products/search answered 404: there is no such call')
  }

  return {
    maxSkus: 200,
    watermarkOverlapSeconds: WATERMARK_OVERLAP_SECONDS,
    async search(query, parts, call) {
      const { skus, ...others } = query
      const answer = skus
        ? await among({ ...query, include: included(parts) }, call)
        : await json(Paged, get('/products', { ...others, include: included(parts).join() }), call)
      return page(answer, query.limit, Item, (row) => toItem(row, parts, facts))
    },
    async items(skus, parts, call) {
      if (skus.length === 0) return []
      const body = { skus, include: included(parts) }
      const { data } = await json(Listed, { method: 'POST', path: '/products/lookup', body }, call)
      return pickRowsBySku(
        skus,
        parseRows(data, Item, (row) => toItem(row, parts, facts)),
      )
    },
    async categories(call) {
      const { data } = await json(Listed, get('/categories'), call)
      return parseRows(data, Category, ({ parent_id = null, position = 0, product_count = null, ...row }) => {
        const { category_id, name, slug } = row
        return { category_id, name, slug, parent_id, position, product_count }
      })
    },
    async tags(call) {
      const { data } = await json(Listed, get('/tags'), call)
      return parseRows(data, Tag, ({ tag, name = tag, count = null }) => ({ tag, name, count }))
    },
    async vehicleFacet(query: VehicleFacetQuery, call) {
      const { data } = await json(Listed, get('/vehicle-facets', { ...query }), call)
      return parseRows(data, Facet, toFacetValue)
    },
    async vehicleItems(vehicleId, { limit, offset }, parts, call) {
      const query = { limit, offset, include: included(parts).join() }
      const answer = await jsonOrNull(VehiclePaged, get(`/vehicles/${vehicleId}/products`, query), call)
      if (!answer) return { vehicle: null, items: [], total: 0, has_more: false }
      const fitting = page(answer, limit, FittingItem, (row) => ({
        ...toItem(row, parts, facts),
        fitment: { ...toFitment(row.fitment), universal: row.fitment.universal },
      }))
      return { vehicle: toVehicle(answer.vehicle), ...fitting }
    },
    async fitments(sku, { limit, offset }, call) {
      const answer = await jsonOrNull(
        FitmentsPaged,
        get(`/products/${encodeURIComponent(sku)}/fitments`, { limit, offset }),
        call,
      )
      if (!answer) return null
      const { items, ...rest } = page(answer, limit, FittedVehicle, (row) => ({ ...toVehicle(row), ...toFitment(row) }))
      return { universal: answer.universal, fitments: items, ...rest }
    },
    picture: createPictureReader(wire),
    stockChanges: createChangeFeed(wire, '/changes/stock', StockChangeRow, ({ sku, updated_at, stock }) => ({
      ...{ sku, updated_at: toUtcTimestamp(updated_at), stock: toStock(stock) },
    })),
  }
}

// A system that knows no parts must still be asked for one: the SKU alone is in each.
function included({ product, stock }: ItemParts): string[] {
  return [...(product || !stock ? ['product'] : []), ...(stock ? ['stock'] : [])]
}

/** A system that ignores `limit` is cut to it, so that pages cannot overlap. */
function page<Row, T>(
  answer: { data: unknown[]; total?: number | null; has_more: boolean },
  limit: number,
  row: ResponseSchema<Row>,
  map: (row: Row) => T,
) {
  const items = parseRows(answer.data.slice(0, limit), row, map)
  return { items, total: answer.total ?? null, has_more: answer.has_more || answer.data.length > limit }
}
