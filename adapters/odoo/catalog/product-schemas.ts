import { type Static, Type } from 'typebox'
import { OdooDatetime, OdooId, OdooIds, OdooLink, OdooText } from '../client/odoo-values.ts'

/** A picture as Odoo describes it without its content: its size, such as "19.47 Kb". */
const PictureSize = OdooText

/** The fields that decide which record represents a SKU, and when the SKU changed. */
export const IdentityRow = Type.Object({
  id: OdooId,
  default_code: Type.String(),
  active: Type.Boolean(),
  sale_ok: Type.Boolean(),
  write_date: OdooDatetime,
  is_published: Type.Optional(Type.Boolean()),
})
export type IdentityRow = Static<typeof IdentityRow>

export const StockRow = Type.Object({
  ...IdentityRow.properties,
  type: Type.String(),
  is_storable: Type.Optional(Type.Boolean()),
  free_qty: Type.Optional(Type.Number()),
  incoming_qty: Type.Optional(Type.Number()),
  /** The website's policy of goods that are out of stock, of the module website_sale_stock. */
  allow_out_of_stock_order: Type.Optional(Type.Boolean()),
})
export type StockRow = Static<typeof StockRow>

const GalleryPicture = Type.Object({
  id: OdooId,
  name: OdooText,
  sequence: Type.Integer(),
  write_date: OdooDatetime,
  image_1920: PictureSize,
})
export type GalleryPicture = Static<typeof GalleryPicture>

/** The value of an attribute that distinguishes the variants of a template. Odoo has them in the order of the attributes. */
const VariantValue = Type.Object({
  id: OdooId,
  name: Type.String(),
  attribute_id: Type.Object({ id: OdooId, name: Type.String() }),
})

export const ProductRow = Type.Object({
  ...StockRow.properties,
  name: Type.String(),
  barcode: OdooText,
  description_sale: OdooText,
  categ_id: OdooLink,
  public_categ_ids: Type.Optional(OdooIds),
  all_product_tag_ids: OdooIds,
  uom_id: OdooId,
  uom_ids: Type.Optional(OdooIds),
  image_1920: PictureSize,
  product_tmpl_id: OdooId,
  product_template_variant_value_ids: Type.Array(VariantValue),
  product_template_image_ids: Type.Optional(Type.Array(GalleryPicture)),
  product_variant_image_ids: Type.Optional(Type.Array(GalleryPicture)),
})
export type ProductRow = Static<typeof ProductRow>
export const AnyRow = Type.Union([ProductRow, StockRow])

/** Returns the latest `write_date` of some records, of which there is at least one. */
export const latestWrite = (rows: readonly { write_date: string }[]): string =>
  rows.map(({ write_date }) => write_date).reduce((latest, time) => (time > latest ? time : latest))

export const isProductRow = (row: Static<typeof AnyRow>): row is ProductRow => 'name' in row
