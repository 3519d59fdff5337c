import { MAX_VARIANT_OPTIONS, type OrderUnit, type Product, type ProductMedia } from '../../../src/ports/inventory.ts'
import type { PictureKey, PictureUrls } from '../../../src/ports/picture.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toSlug } from '../../to-slug.ts'
import { toText } from '../client/odoo-values.ts'
import type { LookupTables } from './category-tag-and-unit-tables.ts'
import { isOnSale } from './is-on-sale.ts'
import { galleryPictureKey, productPictureKey } from './picture-keys.ts'
import type { ProductRow } from './product-schemas.ts'

export interface ProductSources {
  tables: LookupTables
  /** RFC 3339: the latest change of all records with this SKU. */
  updatedAt: string
  publishedOnly: boolean
  pictureUrls(picture: PictureKey): PictureUrls
}

export function toProduct(row: ProductRow, { tables, updatedAt, publishedOnly, pictureUrls }: ProductSources): Product {
  const name = toProductName(row)
  const categoryIds = row.public_categ_ids ?? (row.categ_id === false ? [] : [row.categ_id])
  return {
    sku: row.default_code,
    name,
    slug: toSlug(`${name} ${row.default_code}`),
    description: toText(row.description_sale),
    brand: null,
    mpn: null,
    barcode: toText(row.barcode),
    media: toMedia(row, name, pictureUrls),
    categories: categoryIds.flatMap((id) => {
      const node = tables.categories.get(id)
      return node ? [{ category_id: node.category_id, name: node.name, slug: node.slug }] : []
    }),
    tags: row.all_product_tag_ids.flatMap((id) => tables.tags.get(id)?.tag ?? []),
    uom: tables.units.get(row.uom_id)?.name ?? 'Units',
    order_uoms: toOrderUnits(row, tables),
    ...toVariantMembers(row),
    active: isOnSale(row, publishedOnly),
    updated_at: updatedAt,
  }
}

/** Returns the template of a variant, and its values. A template with one product has no value that distinguishes it. */
function toVariantMembers(row: ProductRow): Pick<Product, 'variant_of' | 'options'> {
  const values = row.product_template_variant_value_ids.slice(0, MAX_VARIANT_OPTIONS)
  if (values.length === 0) return {}
  return {
    variant_of: { parent_id: String(row.product_tmpl_id), name: row.name },
    options: values.map(({ attribute_id, name }) => ({ name: attribute_id.name, value: name })),
  }
}

/** Returns the name with the values of the variant, as Odoo shows it: `Work Gloves (L)`. */
export function toProductName(row: {
  name: string
  product_template_variant_value_ids: readonly { name: string }[]
}): string {
  const values = row.product_template_variant_value_ids.map(({ name }) => name)
  return values.length === 0 ? row.name : `${row.name} (${values.join(', ')})`
}

function toOrderUnits(row: ProductRow, { units }: LookupTables): OrderUnit[] {
  const base = units.get(row.uom_id)
  if (!base) return []
  return (row.uom_ids ?? []).flatMap((id) => {
    const unit = units.get(id)
    if (!unit || unit.name === base.name) return []
    return [{ uom: unit.name, factor: formatDecimal(unit.factor / base.factor), min: '1', increment: '1' }]
  })
}

function toMedia(row: ProductRow, alt: string, pictureUrls: ProductSources['pictureUrls']): ProductMedia[] {
  const gallery = [...(row.product_variant_image_ids ?? []), ...(row.product_template_image_ids ?? [])]
  const pictures = [
    ...(row.image_1920 ? [{ key: productPictureKey(row), alt }] : []),
    // Odoo's own order. A picture without content is a video.
    ...gallery
      .filter(({ image_1920 }) => image_1920)
      .sort((a, b) => a.sequence - b.sequence || a.id - b.id)
      .map((picture) => ({ key: galleryPictureKey(picture), alt: toText(picture.name) ?? alt })),
  ]
  return pictures.map(({ key, alt }, position) => ({
    media_id: key.source,
    position,
    alt,
    kind: 'IMAGE',
    width: null,
    height: null,
    ...pictureUrls(key),
  }))
}
