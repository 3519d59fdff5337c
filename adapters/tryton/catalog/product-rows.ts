import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { OrderUnit, Product, ProductMedia } from '../../../src/ports/inventory.ts'
import { formatDecimal } from '../../amount-format.ts'
import { TrytonBoolean, TrytonDatetime, TrytonId, toEpochMs, toSlug } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'
import type { CategoryTable } from './category-table.ts'
import { templateFields } from './sku-records.ts'

const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const Unit = Type.Object({ symbol: Type.String(), factor: Type.Number(), rounding: Type.Number() })

/** What decides which record stands for a SKU, and when the SKU changed. */
export const IdentityRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  write_date: nullable(TrytonDatetime),
  create_date: nullable(TrytonDatetime),
  'template.': Type.Object({ write_date: nullable(TrytonDatetime), create_date: nullable(TrytonDatetime) }),
})
export const identityFields = [
  'code',
  'active',
  'write_date',
  'create_date',
  'template.write_date',
  'template.create_date',
]

/** What a question about stock alone reads. */
export const StockRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  type: Type.String(),
  salable: TrytonBoolean,
  quantity: Type.Optional(Type.Number()),
})
export type StockRow = Static<typeof StockRow>
export const stockFields = ['code', 'active', ...templateFields('salable', 'type')]

export const ProductRow = Type.Object({
  ...StockRow.properties,
  ...IdentityRow.properties,
  'template.': Type.Object({ id: TrytonId, ...IdentityRow.properties['template.'].properties, active: TrytonBoolean }),
  name: Type.String(),
  description: nullable(Type.String()),
  categories: Type.Array(TrytonId),
  'default_uom.': Unit,
  'sale_uom.': Type.Optional(nullable(Unit)),
  'sale_secondary_uom.': Type.Optional(nullable(Unit)),
  sale_secondary_uom_rate: Type.Optional(nullable(Type.Number())),
  attributes: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
})
export type ProductRow = Static<typeof ProductRow>

const unitFields = (name: string) => [`${name}.symbol`, `${name}.factor`, `${name}.rounding`]

export function productFields(settings: TrytonSettings, hasSecondaryUnits: boolean): string[] {
  const secondary = hasSecondaryUnits ? ['sale_secondary_uom_rate', ...unitFields('sale_secondary_uom')] : []
  const units = [...['default_uom', 'sale_uom'].flatMap(unitFields), ...secondary]
  const attributes = settings.brand_attribute || settings.mpn_attribute ? ['attributes'] : []
  return [
    ...identityFields,
    ...['name', 'description', ...templateFields('salable', 'active', 'type', 'categories', ...units)],
    ...attributes,
  ]
}

/** A SKU may be on several records: the active one stands for it, then the oldest. */
export function chooseRecord<Row extends { id: number; active: TrytonBoolean }>(rows: readonly Row[]): Row {
  return rows.reduce((best, row) =>
    row.active === best.active ? (row.id < best.id ? row : best) : row.active ? row : best,
  )
}

/** When the SKU last changed: any record of it, or a template of theirs, which holds name, price and categories. */
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

/** What is not on the record itself: `media` is `null` where pictures are not open to this account. */
export interface ProductExtras {
  updatedAt: number
  table: CategoryTable
  media: ProductMedia[] | null
}

export function toProduct(
  row: ProductRow,
  { updatedAt, table, media }: ProductExtras,
  settings: TrytonSettings,
): Product {
  return {
    sku: row.code,
    name: row.name,
    slug: toSlug(`${row.name} ${row.code}`),
    description: row.description || null,
    brand: attribute(row, settings.brand_attribute),
    mpn: attribute(row, settings.mpn_attribute),
    barcode: null,
    media,
    categories: nodes(table.categories, row).map(({ category_id, name, slug }) => ({ category_id, name, slug })),
    tags: nodes(table.tags, row).map((node) => node.slug),
    uom: row['default_uom.'].symbol,
    order_uoms: orderUnits(row),
    active: isOnSale(row),
    updated_at: new Date(updatedAt).toISOString(),
  }
}

function nodes(table: CategoryTable['tags'], row: ProductRow) {
  const ids = row.categories.toSorted((a, b) => a - b)
  return ids.map((id) => table?.get(id)).filter((node) => node !== undefined)
}

function attribute(row: ProductRow, name: string | undefined): string | null {
  const value = name === undefined ? undefined : row.attributes?.[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The base unit, the sale unit where it is another, and the secondary unit (so many sale units each). */
function orderUnits(row: ProductRow): OrderUnit[] {
  const base = row['default_uom.']
  const sale = row['sale_uom.'] ?? base
  const saleFactor = new Decimal(sale.factor).div(base.factor)
  const units = [orderUnit(base, new Decimal(1))]
  if (sale.symbol !== base.symbol) units.push(orderUnit(sale, saleFactor))
  const secondary = row['sale_secondary_uom.']
  if (secondary && row.sale_secondary_uom_rate)
    units.push(orderUnit(secondary, saleFactor.mul(row.sale_secondary_uom_rate)))
  return units
}

function orderUnit(unit: Static<typeof Unit>, factor: Decimal): OrderUnit {
  const step = formatDecimal(unit.rounding)
  return { uom: unit.symbol, factor: formatDecimal(factor), min: step, increment: step }
}
