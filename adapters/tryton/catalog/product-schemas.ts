import { type Static, Type } from 'typebox'
import { nullable, TrytonBoolean, TrytonDatetime, TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'
import { templateFields } from './template-fields.ts'

export const Unit = Type.Object({ symbol: Type.String(), factor: Type.Number(), rounding: Type.Number() })

const unitFields = (name: string) => [`${name}.symbol`, `${name}.factor`, `${name}.rounding`]

/** The fields that decide which record represents a SKU, and when the SKU changed. */
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

/** The fields of a read of stock alone. */
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
  /** The products of its template. */
  products: Type.Optional(Type.Array(TrytonId)),
  attributes: Type.Optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
})
export type ProductRow = Static<typeof ProductRow>

export function productFields(settings: TrytonSettings, hasSecondaryUnits: boolean): string[] {
  const secondary = hasSecondaryUnits ? ['sale_secondary_uom_rate', ...unitFields('sale_secondary_uom')] : []
  const units = [...['default_uom', 'sale_uom'].flatMap(unitFields), ...secondary]
  const { brand_attribute, mpn_attribute, option_attributes } = settings
  const attributes = brand_attribute || mpn_attribute || option_attributes ? ['attributes'] : []
  const siblings = option_attributes ? ['products'] : []
  return [
    ...identityFields,
    'name',
    'description',
    ...templateFields('salable', 'active', 'type', 'categories', ...units, ...siblings),
    ...attributes,
  ]
}
