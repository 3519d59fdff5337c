import { Decimal } from 'decimal.js'
import { toSlug } from '../../slug.ts'

export interface TaxRow {
  id: number
  name: string
  label: string
  /** A fraction: 0.15. `null` when the tax is not a plain percentage. */
  rate: Decimal | null
  isIncluded: boolean
}

export interface FiscalPosition {
  id: number
  /** The taxes that replace each tax; a tax that is not here stays. */
  replacements: ReadonlyMap<number, readonly number[]>
  /** A position without any tax removes all taxes. */
  hasTaxes: boolean
}

/** The taxes of one product for one customer, as one rate. */
export interface CombinedTax {
  ids: number[]
  code: string
  name: string
  rate: Decimal
  isIncluded: boolean
}

/** Returns the taxes after a fiscal position, as Odoo's `map_tax` does. */
export function mapTaxes(ids: readonly number[], position: FiscalPosition | null): number[] {
  if (position === null) return [...ids]
  if (!position.hasTaxes) return []
  return [...new Set(ids.flatMap((id) => position.replacements.get(id) ?? [id]))]
}

/** Returns taxes as one rate; `null` when they are not one (a fixed amount, a tax on a tax, included and excluded ones). */
export function combineTaxes(ids: readonly number[], taxes: ReadonlyMap<number, TaxRow>): CombinedTax | null {
  // Taxes of other companies are not in the table, and Odoo leaves them out too.
  const rows = ids.flatMap((id) => taxes.get(id) ?? [])
  if (rows.length === 0) return { ids: [], code: 'NONE', name: 'No tax', rate: new Decimal(0), isIncluded: false }
  if (rows.some(({ rate, isIncluded }) => rate === null || isIncluded !== rows[0]!.isIncluded)) return null
  return {
    ids: rows.map(({ id }) => id),
    code: rows.map(({ name }) => toSlug(name).toUpperCase()).join('+'),
    name: rows.map(({ label }) => label).join(', '),
    rate: Decimal.sum(0, ...rows.map(({ rate }) => rate!)),
    isIncluded: rows[0]!.isIncluded,
  }
}

/** Returns a price for other taxes than those of the product: an included tax that does not apply is taken out. */
export function adaptPrice(price: Decimal, from: CombinedTax, to: CombinedTax): Decimal {
  if (!from.isIncluded || from.rate.eq(to.rate)) return price
  const net = price.div(from.rate.plus(1))
  return to.isIncluded ? net.times(to.rate.plus(1)) : net
}
