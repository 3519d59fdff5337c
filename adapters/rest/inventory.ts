import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient, ResponseSchema } from '../../src/ports/http-client.ts'
import type { InventoryPort, ItemParts } from '../../src/ports/inventory.ts'
import type { VehicleFacetQuery } from '../../src/ports/vehicle.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { parseRows } from '../parse-rows.ts'
import type { RestSettings } from './adapter.ts'
import { createChangeFeed, WATERMARK_OVERLAP_SECONDS } from './change-feed.ts'
import { ItemRow, StockRow, toItem, toStock } from './items.ts'
import { createPictureReader } from './pictures.ts'
import { createProtocolClient, isNotOffered } from './protocol-client.ts'
import { nullish, toUtcTimestamp, UnknownRows } from './protocol-values.ts'
import { parseRowsBySku } from './requested-rows.ts'
import { FacetRow, FitmentRow, toFacetValue, toFitment, toVehicle, VehicleRow } from './vehicles.ts'

const paging = { total: nullish(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }

const ListShape = responseSchema(Type.Object({ data: UnknownRows }))
const PageShape = responseSchema(Type.Object({ data: UnknownRows, ...paging }))
const VehiclePageShape = responseSchema(Type.Object({ vehicle: VehicleRow, data: UnknownRows, ...paging }))
const FitmentsPageShape = responseSchema(Type.Object({ universal: Type.Boolean(), data: UnknownRows, ...paging }))

const ItemShape = responseSchema(ItemRow)
const FittingItemShape = responseSchema(
  Type.Intersect([
    ItemRow,
    Type.Object({ fitment: Type.Intersect([FitmentRow, Type.Object({ universal: Type.Boolean() })]) }),
  ]),
)
const FittedVehicleShape = responseSchema(Type.Intersect([VehicleRow, FitmentRow]))
const FacetShape = responseSchema(FacetRow)
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

export function connectInventory(settings: RestSettings, client: HttpClient, facts: MerchantFacts): InventoryPort {
  const protocol = createProtocolClient(client, settings)
  const { json, jsonOrNull } = protocol
  const get = (path: string, query: Record<string, string | number | undefined> = {}, rows?: number) => ({
    method: 'GET' as const,
    path,
    query,
    ...(rows !== undefined && { rows }),
  })
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
            get('/products', { ...filters, include: includedParts(parts).join() }, query.limit),
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
      const { data } = await json(ListShape, get('/categories'), call)
      return parseRows(data, CategoryShape, ({ parent_id = null, position = 0, product_count = null, ...row }) => {
        const { category_id, name, slug } = row
        return { category_id, name, slug, parent_id, position, product_count }
      })
    },
    async tags(call) {
      const { data } = await json(ListShape, get('/tags'), call)
      return parseRows(data, TagShape, ({ tag, name = tag, count = null }) => ({ tag, name, count }))
    },
    async vehicleFacet(query: VehicleFacetQuery, call) {
      const { data } = await json(ListShape, get('/vehicle-facets', { ...query }), call)
      return parseRows(data, FacetShape, toFacetValue)
    },
    async vehicleItems(vehicleId, { limit, offset }, parts, call) {
      const query = { limit, offset, include: includedParts(parts).join() }
      const response = await jsonOrNull(VehiclePageShape, get(`/vehicles/${vehicleId}/products`, query, limit), call)
      if (!response) return { vehicle: null, items: [], total: 0, has_more: false }
      const page = toPage(response, limit, FittingItemShape, (row) => ({
        ...toItem(row, parts, facts),
        fitment: { ...toFitment(row.fitment), universal: row.fitment.universal },
      }))
      return { vehicle: toVehicle(response.vehicle), ...page }
    },
    async fitments(sku, { limit, offset }, call) {
      const response = await jsonOrNull(
        FitmentsPageShape,
        get(`/products/${encodeURIComponent(sku)}/fitments`, { limit, offset }, limit),
        call,
      )
      if (!response) return null
      const { items, ...rest } = toPage(response, limit, FittedVehicleShape, (row) => ({
        ...toVehicle(row),
        ...toFitment(row),
      }))
      return { universal: response.universal, fitments: items, ...rest }
    },
    picture: createPictureReader(protocol),
    stockChanges: createChangeFeed(protocol, '/changes/stock', StockChangeRow, ({ sku, updated_at, stock }) => ({
      sku,
      updated_at: toUtcTimestamp(updated_at),
      stock: toStock(stock),
    })),
  }
}

// The protocol requires at least one part, and each part carries the SKU.
function includedParts({ product, stock }: ItemParts): string[] {
  return [...(product || !stock ? ['product'] : []), ...(stock ? ['stock'] : [])]
}

/** Cuts a page to its limit, so that pages do not overlap when a system ignores `limit`. */
function toPage<Row, T>(
  response: { data: unknown[]; total?: number | null; has_more: boolean },
  limit: number,
  row: ResponseSchema<Row>,
  map: (row: Row) => T,
) {
  const items = parseRows(response.data.slice(0, limit), row, map)
  return { items, total: response.total ?? null, has_more: response.has_more || response.data.length > limit }
}
