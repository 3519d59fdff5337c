import { Type } from 'typebox'
import { MAX_PARTS_PER_VEHICLE } from '../../ports/fitment.ts'
import { stockChangesOperation } from './change-feed-operations.ts'
import {
  binaryFileSchema,
  decimalSchema,
  nullableSchema,
  type Operation,
  pagingProperties,
  skuListSchema,
} from './schema-types.ts'
import { Stock } from './stock-schema.ts'

const mediaMembers = {
  media_id: Type.String(),
  position: Type.Integer(),
  alt: nullableSchema(Type.String()),
  kind: Type.Literal('IMAGE'),
  width: nullableSchema(Type.Integer()),
  height: nullableSchema(Type.Integer()),
}

const Published = Type.Object({
  ...mediaMembers,
  thumb_url: Type.String({ format: 'uri', description: 'Absolute; answers WebP without a token.' }),
  large_url: Type.String({ format: 'uri', description: 'Absolute; answers WebP without a token.' }),
})

const Kept = Type.Object({
  ...mediaMembers,
  content_id: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[\\x21\\x23-\\x7e]+$',
    description:
      'Differs when the content does, as a digest of it. Forecourt asks for the content at /media/{media_id}/content, and publishes it itself. The updated_at of the product moves with it.',
  }),
})

const Media = Type.Union([Published, Kept])

const Product = Type.Object({
  sku: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  description: nullableSchema(Type.String()),
  brand: nullableSchema(Type.String()),
  mpn: nullableSchema(Type.String()),
  barcode: nullableSchema(Type.String()),
  media: nullableSchema(Type.Array(Media)),
  categories: Type.Array(Type.Object({ category_id: Type.String(), name: Type.String(), slug: Type.String() })),
  tags: Type.Array(Type.String()),
  uom: Type.String({ description: 'The base stock unit.' }),
  order_uoms: Type.Array(
    Type.Object({ uom: Type.String(), factor: decimalSchema(), min: decimalSchema(), increment: decimalSchema() }),
  ),
  active: Type.Boolean(),
  updated_at: Type.String({ format: 'date-time' }),
})

const itemMembers = {
  sku: Type.String(),
  product: Type.Optional(nullableSchema(Product)),
  stock: Type.Optional(nullableSchema(Stock)),
}

const Item = Type.Object(itemMembers)

const vehicleMembers = {
  vehicle_id: Type.Integer(),
  year: Type.Integer(),
  make: Type.String(),
  model: Type.String(),
  submodel: nullableSchema(Type.String()),
  engine: nullableSchema(Type.String()),
  market: Type.String(),
}

const fitmentMembers = {
  positions: Type.Array(Type.String()),
  quantity: nullableSchema(Type.Number()),
  notes: nullableSchema(Type.String()),
  qualifiers: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
}

const pageMembers = { total: nullableSchema(Type.Integer()), has_more: Type.Boolean() }

const include = Type.Optional(
  Type.String({
    pattern: '^(product|stock)(,(product|stock))*$',
    description: 'Parts, comma-separated; all when left out.',
  }),
)
const parts = Type.Array(Type.Union([Type.Literal('product'), Type.Literal('stock')]), { minItems: 1 })
const filters = {
  q: Type.Optional(Type.String({ description: 'Words, all of which must occur, whatever their case and accents.' })),
  category: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  updated_since: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })),
}
const vehicleId = Type.Object({ vehicle_id: Type.Integer({ minimum: 0 }) })

export const inventoryOperations = {
  searchProducts: {
    method: 'GET',
    path: '/products',
    summary: 'A page of products. With updated_since: deactivated ones too, in the order (updated_at, sku).',
    query: Type.Object({
      ...filters,
      vehicle_id: Type.Optional(Type.Integer({ minimum: 0 })),
      ...pagingProperties,
      include,
    }),
    answer: Type.Object({ data: Type.Array(Item), ...pageMembers }),
  },
  searchProductsAmong: {
    method: 'POST',
    path: '/products/search',
    summary:
      'The same, among these SKUs alone. Needed only where vehicle fitment comes from another source: a file, or another system.',
    body: Type.Object({
      skus: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: MAX_PARTS_PER_VEHICLE }),
      ...filters,
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      offset: Type.Integer({ minimum: 0 }),
      include: parts,
    }),
    answer: Type.Object({ data: Type.Array(Item), ...pageMembers }),
  },
  lookupProducts: {
    method: 'POST',
    path: '/products/lookup',
    summary: 'The parts of each SKU; unknown SKUs are left out, deactivated products are not.',
    body: Type.Object({
      skus: skuListSchema(),
      include: parts,
    }),
    answer: Type.Object({ data: Type.Array(Item) }),
  },
  listCategories: {
    method: 'GET',
    path: '/categories',
    summary: 'Every category, parents by id.',
    answer: Type.Object({
      data: Type.Array(
        Type.Object({
          category_id: Type.String(),
          name: Type.String(),
          slug: Type.String(),
          parent_id: nullableSchema(Type.String()),
          position: Type.Integer(),
          product_count: nullableSchema(Type.Integer({ description: 'Active products in it and below it.' })),
        }),
      ),
    }),
  },
  listTags: {
    method: 'GET',
    path: '/tags',
    summary: 'Every tag with the number of active products that carry it.',
    answer: Type.Object({
      data: Type.Array(Type.Object({ tag: Type.String(), name: Type.String(), count: nullableSchema(Type.Integer()) })),
    }),
  },
  listVehicleFacet: {
    method: 'GET',
    path: '/vehicle-facets',
    summary: 'Years; makes of a year; models of a year and make. Counts are vehicles. Make is case-insensitive.',
    query: Type.Object({
      facet: Type.Union([Type.Literal('year'), Type.Literal('make'), Type.Literal('model')]),
      market: Type.Optional(Type.String()),
      year: Type.Optional(Type.Integer()),
      make: Type.Optional(Type.String()),
    }),
    answer: Type.Object({
      data: Type.Array(
        Type.Object({
          value: Type.String(),
          label: Type.String(),
          count: Type.Integer(),
          vehicle_id: Type.Optional(Type.Integer({ description: 'On models alone: the first of its variants.' })),
          variants: Type.Optional(
            Type.Array(
              Type.Object({
                vehicle_id: Type.Integer(),
                submodel: nullableSchema(Type.String()),
                engine: nullableSchema(Type.String()),
              }),
            ),
          ),
        }),
      ),
    }),
  },
  listVehicleProducts: {
    method: 'GET',
    path: '/vehicles/{vehicle_id}/products',
    summary: 'Active products that fit a vehicle, universal ones included and marked. 404: there is no such vehicle.',
    params: vehicleId,
    query: Type.Object({ ...pagingProperties, include }),
    answer: Type.Object({
      vehicle: Type.Object(vehicleMembers),
      data: Type.Array(
        Type.Object({ ...itemMembers, fitment: Type.Object({ ...fitmentMembers, universal: Type.Boolean() }) }),
      ),
      ...pageMembers,
    }),
  },
  listFitments: {
    method: 'GET',
    path: '/products/{sku}/fitments',
    summary: 'The vehicles that a product fits. 404: there is no such SKU.',
    params: Type.Object({ sku: Type.String({ minLength: 1 }) }),
    query: Type.Object({ ...pagingProperties }),
    answer: Type.Object({
      universal: Type.Boolean(),
      data: Type.Array(Type.Object({ ...vehicleMembers, ...fitmentMembers })),
      ...pageMembers,
    }),
  },
  readPicture: {
    method: 'GET',
    path: '/media/{media_id}/content',
    summary:
      'A picture that has a content_id: JPEG, PNG, WebP or GIF, with the content_id that it has now as its ETag. 404: there is no such picture.',
    params: Type.Object({ media_id: Type.String({ minLength: 1, maxLength: 200 }) }),
    answer: binaryFileSchema,
    file: true,
  },
  listStockChanges: stockChangesOperation,
} as const satisfies Record<string, Operation>
