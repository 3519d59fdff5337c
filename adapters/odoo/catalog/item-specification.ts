import type { ItemParts } from '../../../src/ports/inventory.ts'
import type { Specification } from '../client/rpc.ts'

const gallery = { fields: { name: {}, sequence: {}, write_date: {}, image_1920: {} } }

/** The specification of each optional field. */
const optionalSpecification: Record<string, Specification[string]> = {
  is_published: {},
  is_storable: {},
  allow_out_of_stock_order: {},
  public_categ_ids: {},
  uom_ids: {},
  product_template_image_ids: gallery,
  product_variant_image_ids: gallery,
}
const stockNames = new Set(['is_published', 'is_storable', 'allow_out_of_stock_order'])

/** All records of a SKU, archived ones included. */
export const ALL_RECORDS = ['active', 'in', [true, false]]

/** The parts of a record to read. `price` has the fields on which the price and the taxes depend. */
export interface RowParts extends ItemParts {
  price: boolean
}

const priceSpecification: Specification = {
  lst_price: {},
  standard_price: {},
  product_tmpl_id: {},
  categ_id: {},
  uom_id: {},
  taxes_id: {},
}

export const identitySpecification: Specification = { default_code: {}, active: {}, sale_ok: {}, write_date: {} }

/** Returns the fields to read for the parts of a record. */
export function itemSpecification(parts: RowParts, optional: ReadonlySet<string>): Specification {
  if (!parts.product && !parts.stock) return { ...identitySpecification, ...priceSpecification }
  const own = Object.entries(optionalSpecification).filter(
    ([name]) => optional.has(name) && (parts.product || stockNames.has(name)),
  )
  return {
    ...identitySpecification,
    ...Object.fromEntries(own),
    type: {},
    ...(parts.stock && { free_qty: {}, incoming_qty: {} }),
    ...(parts.product && {
      name: {},
      barcode: {},
      description_sale: {},
      categ_id: {},
      all_product_tag_ids: {},
      uom_id: {},
      image_1920: {},
      product_tmpl_id: {},
      product_template_variant_value_ids: { fields: { name: {}, attribute_id: { fields: { name: {} } } } },
    }),
    ...(parts.price && priceSpecification),
  }
}
