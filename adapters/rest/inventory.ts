import { Type } from 'typebox'
import type { Client } from '../../src/ports/adapter.ts'
import type { InventoryPort, Parts, VehicleFacetQuery } from '../../src/ports/inventory.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { RestSettings } from './adapter.ts'
import { ItemRow, itemOf } from './item.ts'
import { FacetRow, FitmentRow, facetOf, fitmentOf, VehicleRow, vehicleOf } from './vehicle.ts'
import { asked, maybe, withToken } from './wire.ts'

const paging = { total: maybe(Type.Integer({ minimum: 0 })), has_more: Type.Boolean() }

const Items = shape(Type.Object({ data: Type.Array(ItemRow), ...paging }))
const Looked = shape(Type.Object({ data: Type.Array(ItemRow) }))
const Categories = shape(
  Type.Object({
    data: Type.Array(
      Type.Object({
        category_id: Type.String(),
        name: Type.String(),
        slug: Type.String(),
        parent_id: maybe(Type.String()),
        position: Type.Optional(Type.Integer()),
        product_count: maybe(Type.Integer()),
      }),
    ),
  }),
)
const Tags = shape(
  Type.Object({
    data: Type.Array(
      Type.Object({ tag: Type.String(), name: Type.Optional(Type.String()), count: maybe(Type.Integer()) }),
    ),
  }),
)
const Facet = shape(Type.Object({ data: Type.Array(FacetRow) }))
const FittingItem = Type.Intersect([
  ItemRow,
  Type.Object({ fitment: Type.Intersect([FitmentRow, Type.Object({ universal: Type.Boolean() })]) }),
])
const VehicleItems = shape(Type.Object({ vehicle: VehicleRow, data: Type.Array(FittingItem), ...paging }))
const Fitments = shape(
  Type.Object({ universal: Type.Boolean(), data: Type.Array(Type.Intersect([VehicleRow, FitmentRow])), ...paging }),
)

export function connectInventory(settings: RestSettings, client: Client): InventoryPort {
  const { json, jsonOrNull } = withToken(client, settings)
  const get = (path: string, query: Record<string, string | number | undefined> = {}) => ({
    method: 'GET' as const,
    path,
    query,
  })
  return {
    maxSkus: 200,
    watermarkOverlapSeconds: 5,
    async search(query, parts, call) {
      const answer = await json(Items, get('/products', { ...query, include: included(parts).join() }), call)
      return page(answer, query.limit, (row) => itemOf(row, parts))
    },
    async items(skus, parts, call) {
      if (skus.length === 0) return []
      const body = { skus, include: included(parts) }
      const { data } = await json(Looked, { method: 'POST', path: '/products/lookup', body }, call)
      return asked(skus, data).map((row) => itemOf(row, parts))
    },
    async categories(call) {
      const { data } = await json(Categories, get('/categories'), call)
      return data.map(({ category_id, name, slug, parent_id = null, position = 0, product_count = null }) => {
        return { category_id, name, slug, parent_id, position, product_count }
      })
    },
    async tags(call) {
      const { data } = await json(Tags, get('/tags'), call)
      return data.map(({ tag, name = tag, count = null }) => ({ tag, name, count }))
    },
    async vehicleFacet(query: VehicleFacetQuery, call) {
      const { data } = await json(Facet, get('/vehicle-facets', { ...query }), call)
      return data.map(facetOf)
    },
    async vehicleItems(vehicleId, { limit, offset }, parts, call) {
      const query = { limit, offset, include: included(parts).join() }
      const answer = await jsonOrNull(VehicleItems, get(`/vehicles/${vehicleId}/products`, query), call)
      if (!answer) return { vehicle: null, items: [], total: 0, has_more: false }
      const fitting = (row: (typeof answer.data)[number]) => {
        return { ...itemOf(row, parts), fitment: { ...fitmentOf(row.fitment), universal: row.fitment.universal } }
      }
      return { vehicle: vehicleOf(answer.vehicle), ...page(answer, limit, fitting) }
    },
    async fitments(sku, { limit, offset }, call) {
      const answer = await jsonOrNull(
        Fitments,
        get(`/products/${encodeURIComponent(sku)}/fitments`, { limit, offset }),
        call,
      )
      if (!answer) return null
      const { items, ...rest } = page(answer, limit, (row) => ({ ...vehicleOf(row), ...fitmentOf(row) }))
      return { universal: answer.universal, fitments: items, ...rest }
    },
  }
}

// A system that knows no parts must still be asked for one: the SKU alone is in each.
function included({ product, stock }: Parts): string[] {
  return [...(product || !stock ? ['product'] : []), ...(stock ? ['stock'] : [])]
}

/** A system that ignores `limit` is cut to it, so that pages cannot overlap. */
function page<Row, T>(
  answer: { data: Row[]; total?: number | null; has_more: boolean },
  limit: number,
  map: (row: Row) => T,
) {
  const items = answer.data.slice(0, limit).map(map)
  return { items, total: answer.total ?? null, has_more: answer.has_more || answer.data.length > limit }
}
