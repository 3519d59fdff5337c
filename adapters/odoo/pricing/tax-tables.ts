import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooId, OdooIds, OdooLink, OdooText, toText } from '../client/odoo-values.ts'
import { foundShape, type Rpc, type Specification } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'
import type { TaxRow } from './combined-tax.ts'
import type { FiscalPosition } from './fiscal-position.ts'

const Tax = Type.Object({
  id: OdooId,
  name: Type.String(),
  invoice_label: OdooText,
  amount: Type.Number(),
  amount_type: Type.String(),
  price_include: Type.Boolean(),
  include_base_amount: Type.Boolean(),
  is_base_affected: Type.Boolean(),
  children_tax_ids: OdooIds,
  original_tax_ids: OdooIds,
})
type Tax = Static<typeof Tax>
const Taxes = foundShape(Tax)

const Position = Type.Object({
  id: OdooId,
  tax_ids: OdooIds,
  /** The taxes that replace others in Odoo 18, where the taxes themselves do not name them. */
  tax_replacements: Type.Optional(Type.Array(Type.Object({ tax_src_id: OdooId, tax_dest_id: OdooLink }))),
  auto_apply: Type.Boolean(),
  vat_required: Type.Boolean(),
  zip_from: OdooText,
  zip_to: OdooText,
  country_id: OdooLink,
  state_ids: OdooIds,
  country_group_id: Type.Union([Type.Object({ id: OdooId, country_ids: OdooIds }), Type.Literal(false)]),
})
export type PositionRow = Static<typeof Position>
const Positions = foundShape(Position)
const Categories = foundShape(Type.Object({ id: OdooId, parent_path: OdooText }))

export interface TaxTables {
  taxes: ReadonlyMap<number, TaxRow>
  positions: ReadonlyMap<number, FiscalPosition>
  /** In Odoo's order. */
  automaticPositions: readonly PositionRow[]
  /** The category and its ancestors, of each product category. */
  categoryPaths: ReadonlyMap<number, ReadonlySet<number>>
}

const fieldsOf = (row: { properties: object }) =>
  Object.fromEntries(Object.keys(row.properties).map((name) => [name, {}]))

const { tax_replacements: _, ...positionFields } = fieldsOf(Position) as Specification

/** Returns a reader of taxes, fiscal positions and product categories, which are kept for a minute. */
export function createTaxTableReader(rpc: Rpc, settings: OdooSettings, nowMs: () => number) {
  const company = settings.company ?? 1
  const load = async (call: Call): Promise<TaxTables> => {
    // The taxes of a group are often for no use of their own.
    const taxDomain = [
      ['type_tax_use', 'in', ['sale', 'none']],
      ['company_id', 'parent_of', [company]],
      ['active', 'in', [true, false]],
    ]
    const [taxes, positions, categories] = await Promise.all([
      rpc.search(
        Taxes,
        'account.tax',
        { domain: taxDomain, specification: fieldsOf(Tax), order: 'sequence, id' },
        call,
      ),
      rpc.search(
        Positions,
        'account.fiscal.position',
        {
          domain: [['company_id', 'parent_of', [company]]],
          specification: { ...positionFields, country_group_id: { fields: { country_ids: {} } } },
          order: 'sequence, id',
        },
        call,
      ),
      rpc.search(Categories, 'product.category', { domain: [], specification: { parent_path: {} } }, call),
    ])
    return {
      taxes: new Map(taxes.records.map((row, i) => [row.id, toTaxRow(row, i)])),
      positions: new Map(positions.records.map((row) => [row.id, toFiscalPosition(row, taxes.records)])),
      automaticPositions: positions.records.filter(({ auto_apply }) => auto_apply),
      categoryPaths: new Map(categories.records.map(({ id, parent_path }) => [id, parsePath(parent_path || `${id}/`)])),
    }
  }
  return createCachedTableLoader(load, { maxAgeMs: 60_000, now: nowMs })
}

const toTaxRow = (row: Tax, order: number): TaxRow => ({
  id: row.id,
  name: row.name,
  label: toText(row.invoice_label) ?? row.name,
  kind: toKind(row),
  amount: new Decimal(row.amount),
  isIncluded: row.price_include,
  affectsLater: row.include_base_amount,
  isAffected: row.is_base_affected,
  order,
  childIds: row.children_tax_ids,
})

/** A tax below zero is a deduction, which no cart can have. */
function toKind({ amount_type, amount }: Tax): TaxRow['kind'] {
  if (amount_type === 'group') return amount_type
  return (amount_type === 'percent' || amount_type === 'fixed') && amount >= 0 ? amount_type : null
}

function toFiscalPosition(row: PositionRow, taxes: readonly Tax[]): FiscalPosition {
  const pairs = row.tax_replacements
    ? row.tax_replacements.map(({ tax_src_id, tax_dest_id }) => [tax_src_id, tax_dest_id] as const)
    : taxes
        .filter(({ id }) => row.tax_ids.includes(id))
        .flatMap(({ id, original_tax_ids }) => original_tax_ids.map((original) => [original, id] as const))
  const replacements = new Map<number, number[]>()
  for (const [original, replacement] of pairs)
    replacements.set(original, [...(replacements.get(original) ?? []), ...(replacement ? [replacement] : [])])
  return { id: row.id, replacements, hasTaxes: row.tax_replacements !== undefined || row.tax_ids.length > 0 }
}

const parsePath = (path: string): Set<number> => new Set(path.split('/').filter(Boolean).map(Number))
