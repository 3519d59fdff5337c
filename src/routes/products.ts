import Type from 'typebox'
import { paginationOf } from '../contract/common.ts'
import { ProductList } from '../contract/product.ts'
import type { Product, ProductQuery } from '../ports/inventory.ts'
import { column, fanOut, one, optional, required } from '../sections.ts'
import type { Asking } from '../upstream/asking.ts'
import type { BackOffice, SkuPage } from '../upstream/back-office.ts'
import type { Filled } from '../upstream/loader.ts'
import { listItem, mediaSection, rowSections } from './product-view.ts'
import { route } from './route.ts'
import { mayBeVehicle, reachable } from './vehicle-products.ts'

const UNKNOWN: SkuPage = { skus: [], total: null, has_more: false }
const NONE: SkuPage = { skus: [], total: 0, has_more: false }

export const products = route({
  method: 'GET',
  path: '/v1/products',
  operationId: 'listProducts',
  summary: 'A page of the catalog',
  tag: 'Catalog',
  scope: 'storefront:catalog',
  input: {
    query: Type.Object({
      q: Type.Optional(Type.String({ description: 'Words over sku, name, brand, mpn, barcode and description' })),
      category: Type.Optional(Type.String({ description: 'A category_id or slug; its descendants count' })),
      tag: Type.Optional(Type.String()),
      vehicle_id: Type.Optional(Type.Integer()),
      updated_since: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Changed at that instant or later, oldest change first; withdrawn products come too',
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
    }),
  },
  response: ProductList,
  caching: 'catalog',
  sections: { required: ['data'], optional: ['price', 'tax', 'availability', 'media'] },
  async answer({ query, office, customerId, merchant, asking }) {
    const found = await fanOut(asking, { data: required(searched(query as ProductQuery, office, asking).then(one)) })
    const page = found.values.data ?? UNKNOWN
    const rows = await fanOut(asking, { data: required(office.products(page.skus, asking).then(column)) })
    const listed = rows.values.data.filter((product) => product !== null)
    const active = listed.filter((product) => product.active).map((product) => product.sku)
    const beside = await fanOut(asking, {
      ...rowSections(office, active, customerId, asking),
      media: optional(mediaSection(listed)),
    })
    const at = new Map(active.map((sku, index) => [sku, index]))
    const { price, tax, availability } = beside.values
    const data = listed.map((product) => {
      const index = at.get(product.sku)
      if (index === undefined) return { sku: product.sku, active: false, updated_at: product.updated_at }
      return listItem(product, price[index] ?? null, tax[index] ?? null, availability[index] ?? null, merchant.currency)
    })
    const errors = [...(found.errors.length > 0 ? found.errors : rows.errors), ...beside.errors]
    return {
      body: {
        data,
        pagination: paginationOf(query, data.length, page.total, page.has_more),
        ...(query.updated_since !== undefined && {
          sync: { watermark: watermark(listed, query.updated_since, office.watermarkOverlapSeconds) },
        }),
        errors,
      },
      errors,
      traces: [...found.traces, ...beside.traces],
    }
  },
})

function searched(query: ProductQuery, office: BackOffice, asking: Asking): Promise<Filled<SkuPage>> {
  if (query.vehicle_id !== undefined && !mayBeVehicle(query.vehicle_id)) {
    return Promise.resolve({ value: NONE, error: null, asOf: 0 })
  }
  return office.search(reachable(query), asking)
}

/**
 * Where the next sync may begin: the newest change on this page, stepped back by what a back office may make visible late,
 * in whole seconds, and never before this call's own instant, so that a sync always moves on and never loses a change.
 */
function watermark(rows: readonly Product[], since: string, overlapSeconds: number): string {
  const newest = rows.reduce((latest, row) => Math.max(latest, Date.parse(row.updated_at)), 0)
  const back = Math.floor(newest / 1_000 - overlapSeconds) * 1_000
  return back > Date.parse(since) ? new Date(back).toISOString().replace('.000Z', 'Z') : since
}
