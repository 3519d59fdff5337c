import Type, { type Static } from 'typebox'
import { DecimalString } from '../money.ts'
import { Pagination } from '../pagination.ts'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { AvailabilitySummary } from './availability.ts'
import { PriceInfo } from './price-info.ts'
import { Alternative, Reference } from './product-reference.ts'
import { searchMembers } from './search-members.ts'
import { TaxInfo } from './tax-info.ts'
import { VehicleSchema } from './vehicle.ts'
import { FitmentSchema } from './vehicle-fitment.ts'

export const MediaRef = Type.Object(
  {
    media_id: Type.String(),
    position: Type.Integer(),
    alt: Nullable(Type.String()),
    kind: Type.Literal('IMAGE'),
    width: Nullable(Type.Integer()),
    height: Nullable(Type.Integer()),
    thumb_url: Type.String({ format: 'uri' }),
    large_url: Type.String({ format: 'uri' }),
  },
  { $id: 'MediaRef' },
)

const OrderUnit = Type.Object(
  { uom: Type.String(), factor: DecimalString, min: DecimalString, increment: DecimalString },
  { $id: 'OrderUnit' },
)
const CategoryRef = Type.Object(
  { category_id: Type.String(), name: Type.String(), slug: Type.String() },
  { $id: 'CategoryRef' },
)

const VariantParent = Type.Object(
  { parent_id: Type.String(), name: Type.String() },
  { $id: 'VariantParent', description: 'What variants of the same product have in common; it has no page of its own' },
)
const VariantOption = Type.Object({ name: Type.String(), value: Type.String() }, { $id: 'VariantOption' })

export const listedProductMembers = {
  sku: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  brand: Nullable(Type.String()),
  mpn: Nullable(Type.String()),
  barcode: Nullable(Type.String()),
  price: Nullable(PriceInfo),
  tax: Nullable(TaxInfo),
  availability: Nullable(AvailabilitySummary),
  cover: Nullable(MediaRef),
  media: Type.Array(MediaRef),
  categories: Type.Array(CategoryRef),
  tags: Type.Array(Type.String()),
  variant_of: Nullable(VariantParent, { description: 'null: the product is no variant' }),
  options: Type.Array(VariantOption, {
    description: 'What distinguishes it from the other variants: a size, a color',
  }),
  uom: Type.String(),
  active: Type.Boolean(),
  updated_at: Timestamp,
}

export const ProductListItem = Type.Object(listedProductMembers, { $id: 'ProductListItem' })
export const InactiveProduct = Type.Object(
  { sku: Type.String(), active: Type.Literal(false), updated_at: Timestamp },
  { $id: 'InactiveProduct', description: 'A withdrawn product; only in responses to updated_since' },
)

export const ProductDetail = Type.Object(
  {
    ...listedProductMembers,
    description: Nullable(Type.String()),
    order_uoms: Type.Array(OrderUnit),
    references: Nullable(
      Type.Array(Reference, { description: "Other numbers of this product. CUSTOMER: the shopper's own" }),
    ),
    supersedes: Nullable(Type.Array(Type.String(), { description: 'SKUs or numbers that this product replaces' })),
    superseded_by: Nullable(Type.String({ description: 'The SKU or number that replaces this product' })),
    alternatives: Nullable(Type.Array(Alternative, { maxItems: 10, description: 'Products to sell instead' })),
    errors: SectionErrors,
  },
  { $id: 'ProductDetail' },
)

const fitment = Type.Optional(Nullable(FitmentSchema, { description: 'With vehicle_id; null: not known' }))
const ListedProduct = Type.Object(
  { ...listedProductMembers, active: Type.Literal(true), fitment },
  { $id: 'ListedProduct' },
)

const Sync = Type.Object(
  {
    watermark: Type.String({ format: 'date-time', description: 'The updated_since of the next call' }),
    as_of: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'The catalog has all changes of the inventory up to this time, which is rounded down to the minute unless the catalog is stale; null: no catalog mirror',
      }),
    ),
    lag_seconds: Nullable(
      Type.Integer({ minimum: 0, description: 'How old a stale catalog is; 0: it is current within its limit' }),
    ),
  },
  { $id: 'Sync' },
)

export const ProductList = Type.Object(
  {
    data: Type.Array(ListedProduct),
    pagination: Pagination,
    ...searchMembers,
    vehicle: Type.Optional(
      Nullable(VehicleSchema, {
        description: 'With vehicle_id; null: there is no such vehicle, unless errors has the field fitment',
      }),
    ),
    errors: SectionErrors,
  },
  { $id: 'ProductList' },
)

export const ProductChanges = Type.Object(
  {
    data: Type.Array(Type.Union([ListedProduct, InactiveProduct])),
    pagination: Pagination,
    ...searchMembers,
    sync: Sync,
    errors: SectionErrors,
  },
  { $id: 'ProductChanges', description: 'The response to updated_since' },
)

/** `ProductChanges` comes first: it also matches `ProductList`, so a client that tries them in order finds it. */
export const ProductListOrChanges = Type.Union([ProductChanges, ProductList])

export type ProductListItem = Static<typeof ProductListItem>
export type ProductDetail = Static<typeof ProductDetail>
