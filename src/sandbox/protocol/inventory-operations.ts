import { Type } from 'typebox'
import { MAX_PARTS_PER_VEHICLE } from '../../ports/fitment.ts'
import { MAX_VARIANT_OPTIONS } from '../../ports/inventory.ts'
import { binaryFileSchema, type Operation } from './operation.ts'
import {
  CHANGE_ORDER,
  changePageSchema,
  changeQuerySchema,
  decimalSchema,
  nullableSchema,
  pagingProperties,
  skuListSchema,
  timestampSchema,
} from './schema-parts.ts'

const mediaProperties = {
  media_id: Type.String(),
  position: Type.Integer(),
  alt: nullableSchema(Type.String()),
  kind: Type.Literal('IMAGE'),
  width: nullableSchema(Type.Integer()),
  height: nullableSchema(Type.Integer()),
}

const PublishedMedia = Type.Object({
  ...mediaProperties,
  thumb_url: Type.String({ format: 'uri', description: 'Absolute; serves WebP without a token.' }),
  large_url: Type.String({ format: 'uri', description: 'Absolute; serves WebP without a token.' }),
})

const OriginalMedia = Type.Object({
  ...mediaProperties,
  content_id: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[\\x21\\x23-\\x7e]+$',
    description:
      'Changes with the content, like a digest. Forecourt reads the content from /media/{media_id}/content and publishes it itself. Must change the updated_at of the product too.',
  }),
})

const Media = Type.Union([PublishedMedia, OriginalMedia])

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
  variant_of: Type.Optional(
    Type.Object(
      { parent_id: Type.String({ minLength: 1, maxLength: 128 }), name: Type.String() },
      { description: 'What this SKU and the other variants of the same product have in common. Needs options.' },
    ),
  ),
  options: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      maxItems: MAX_VARIANT_OPTIONS,
      description: 'What distinguishes it from the other variants: a size, a color.',
    }),
  ),
  active: Type.Boolean(),
  updated_at: Type.String({ format: 'date-time' }),
})

const Stock = Type.Object({
  available: Type.Number({ description: 'On hand less reserved, in the base unit; may be negative.' }),
  expected: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), quantity: Type.Number() })),
  untracked: Type.Optional(
    Type.Boolean({ description: 'Nobody counts it (a service): it can always be sold. Default: false.' }),
  ),
  sell_when_out: Type.Optional(
    Type.Boolean({
      description: 'Shoppers may order it while it is out of stock. Default: only when a receipt is expected.',
    }),
  ),
  expected_on: Type.Optional(
    Type.String({ format: 'date', description: 'When it is in stock again, if the receipts do not say so.' }),
  ),
  branches: Type.Optional(
    Type.Array(Type.Object({ branch_id: Type.String(), name: Type.String(), available: Type.Number() }), {
      maxItems: 100,
      description:
        'The stock at each branch, in the order in which shoppers see them. Responses show only their bands.',
    }),
  ),
})

export const itemProperties = {
  sku: Type.String(),
  product: Type.Optional(nullableSchema(Product)),
  stock: Type.Optional(nullableSchema(Stock)),
}

const Item = Type.Object(itemProperties)

export const pageProperties = { total: nullableSchema(Type.Integer()), has_more: Type.Boolean() }

export const includeSchema = Type.Optional(
  Type.String({
    pattern: '^(product|stock)(,(product|stock))*$',
    description: 'Parts, comma-separated; default: all.',
  }),
)
const parts = Type.Array(Type.Union([Type.Literal('product'), Type.Literal('stock')]), { minItems: 1 })
const filters = {
  q: Type.Optional(Type.String({ description: 'Words that must all occur, compared without case and accents.' })),
  category: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  updated_since: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' })),
}
export const inventoryOperations = {
  searchProducts: {
    method: 'GET',
    path: '/products',
    summary: 'A page of products. With updated_since: inactive ones too, in the order (updated_at, sku).',
    query: Type.Object({
      ...filters,
      vehicle_id: Type.Optional(Type.Integer({ minimum: 0 })),
      ...pagingProperties,
      include: includeSchema,
    }),
    response: Type.Object({ data: Type.Array(Item), ...pageProperties }),
  },
  searchProductsAmong: {
    method: 'POST',
    path: '/products/search',
    summary:
      'A page of the products with these SKUs. Needed only when vehicle fitment comes from another source: a file, or another system.',
    body: Type.Object({
      skus: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: MAX_PARTS_PER_VEHICLE }),
      ...filters,
      limit: Type.Integer({ minimum: 1, maximum: 200 }),
      offset: Type.Integer({ minimum: 0 }),
      include: parts,
    }),
    response: Type.Object({ data: Type.Array(Item), ...pageProperties }),
  },
  lookupProducts: {
    method: 'POST',
    path: '/products/lookup',
    summary: 'The parts of each SKU. Omits unknown SKUs; includes inactive products.',
    body: Type.Object({
      skus: skuListSchema(),
      include: parts,
    }),
    response: Type.Object({ data: Type.Array(Item) }),
  },
  listCategories: {
    method: 'GET',
    path: '/categories',
    summary: 'Every category, with its parent by id.',
    response: Type.Object({
      data: Type.Array(
        Type.Object({
          category_id: Type.String(),
          name: Type.String(),
          slug: Type.String(),
          parent_id: nullableSchema(Type.String()),
          position: Type.Integer(),
          product_count: nullableSchema(Type.Integer({ description: 'Active products in it and its descendants.' })),
        }),
      ),
    }),
  },
  listTags: {
    method: 'GET',
    path: '/tags',
    summary: 'Every tag with the number of active products that carry it.',
    response: Type.Object({
      data: Type.Array(Type.Object({ tag: Type.String(), name: Type.String(), count: nullableSchema(Type.Integer()) })),
    }),
  },
  readPicture: {
    method: 'GET',
    path: '/media/{media_id}/content',
    summary:
      'A picture with a content_id: JPEG, PNG, WebP or GIF, with its current content_id as the ETag. 404: the picture does not exist.',
    params: Type.Object({ media_id: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: binaryFileSchema,
    file: 'image/*',
  },
  listStockChanges: {
    method: 'GET',
    path: '/changes/stock',
    summary: `SKUs whose stock or open receipts changed, with the current stock. ${CHANGE_ORDER}`,
    query: changeQuerySchema,
    response: changePageSchema(Type.Object({ sku: Type.String(), updated_at: timestampSchema(), stock: Stock })),
  },
} as const satisfies Record<string, Operation>
