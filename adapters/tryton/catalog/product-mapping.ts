import { Decimal } from 'decimal.js'
import type { Static } from 'typebox'
import type { OrderUnit, Product, ProductMedia } from '../../../src/ports/inventory.ts'
import { formatDecimal } from '../../decimal-format.ts'
import { toSlug } from '../../to-slug.ts'
import { toEpochMs } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'
import type { CategoryTable } from './category-and-tag-table.ts'
import type { IdentityRow, ProductRow, Unit } from './product-schemas.ts'

/** Returns when the SKU last changed: any of its records or their templates, which hold name, price and categories. */
export function productChangedAtMs(rows: readonly Static<typeof IdentityRow>[]): number {
  const times = rows.flatMap((row) => [
    row.write_date,
    row.create_date,
    row['template.'].write_date,
    row['template.'].create_date,
  ])
  return Math.max(0, ...times.filter((time) => time !== null).map(toEpochMs))
}

export const isOnSale = (row: ProductRow) => Boolean(row.active && row['template.'].active && row.salable)

/** The parts of a product from outside its record. `media` is `null` when the account may not read pictures. */
export interface ProductExtras {
  updatedAtMs: number
  categoryTable: CategoryTable
  media: ProductMedia[] | null
}

export function toProduct(
  row: ProductRow,
  { updatedAtMs, categoryTable, media }: ProductExtras,
  settings: TrytonSettings,
): Product {
  return {
    sku: row.code,
    name: row.name,
    slug: toSlug(`${row.name} ${row.code}`),
    description: row.description || null,
    brand: attributeValue(row, settings.brand_attribute),
    mpn: attributeValue(row, settings.mpn_attribute),
    barcode: null,
    media,
    categories: categoryNodes(categoryTable.categories, row).map(({ category_id, name, slug }) => ({
      category_id,
      name,
      slug,
    })),
    tags: categoryNodes(categoryTable.tags, row).map((node) => node.slug),
    uom: row['default_uom.'].symbol,
    order_uoms: toOrderUnits(row),
    ...toVariantMembers(row, settings),
    active: isOnSale(row),
    updated_at: new Date(updatedAtMs).toISOString(),
  }
}

function categoryNodes(categoryTable: CategoryTable['tags'], row: ProductRow) {
  const ids = row.categories.toSorted((a, b) => a - b)
  return ids.map((id) => categoryTable?.get(id)).filter((node) => node !== undefined)
}

function attributeValue(row: ProductRow, name: string | undefined): string | null {
  const value = name === undefined ? undefined : row.attributes?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Returns the template of a variant, and its attributes. The only product of a template is no variant. */
function toVariantMembers(
  row: ProductRow,
  { option_attributes = {} }: TrytonSettings,
): Pick<Product, 'variant_of' | 'options'> {
  const options = Object.entries(option_attributes).flatMap(([attribute, name]) => {
    const value = toOptionValue(row.attributes?.[attribute])
    return value === '' ? [] : [{ name, value }]
  })
  if ((row.products?.length ?? 0) < 2 || options.length === 0) return {}
  return { variant_of: { parent_id: String(row['template.'].id), name: row.name }, options }
}

/** Returns the text of a text, number or selection. Dates and several selections distinguish no variants. */
function toOptionValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'decimal' in value) return String(value.decimal)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the base unit, the sale unit when it differs, and the secondary unit, which counts in sale units. */
function toOrderUnits(row: ProductRow): OrderUnit[] {
  const base = row['default_uom.']
  const sale = row['sale_uom.'] ?? base
  const saleFactor = new Decimal(sale.factor).div(base.factor)
  const units = [toOrderUnit(base, new Decimal(1))]
  if (sale.symbol !== base.symbol) units.push(toOrderUnit(sale, saleFactor))
  const secondary = row['sale_secondary_uom.']
  if (secondary && row.sale_secondary_uom_rate)
    units.push(toOrderUnit(secondary, saleFactor.mul(row.sale_secondary_uom_rate)))
  return units
}

function toOrderUnit(unit: Static<typeof Unit>, factor: Decimal): OrderUnit {
  const step = formatDecimal(unit.rounding)
  return { uom: unit.symbol, factor: formatDecimal(factor), min: step, increment: step }
}
