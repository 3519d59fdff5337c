import { Decimal } from 'decimal.js'
import { toSlug } from '../../to-slug.ts'
import { computeTaxesOnNet, type TaxTerm } from './tax-amounts.ts'

export interface TaxRow extends Omit<TaxTerm, 'kind'> {
  name: string
  label: string
  /** `null`: computed in a way that is not supported. */
  kind: TaxTerm['kind'] | 'group' | null
  /** The place in Odoo's order. */
  order: number
  /** The taxes of a group. */
  childIds: readonly number[]
}

/** The taxes of one product for one customer. */
export interface CombinedTax {
  ids: number[]
  code: string
  name: string
  /** The percentages as one fraction. It does not have the amounts per unit. */
  rate: Decimal
  /** Every tax is included in the price. */
  isIncluded: boolean
  /** Some taxes are included in the price, and others are not. */
  isMixed: boolean
  /** In Odoo's order, with those of groups. */
  terms: readonly TaxTerm[]
  /** The tax is the rate of a line's amount, rounded once. */
  isRate: boolean
  /** Odoo adapts prices from these taxes to others. It does not look into groups. */
  isAdapted: boolean
}

/** Combines taxes; `null` when one is computed in a way that is not supported. */
export function combineTaxes(ids: readonly number[], taxes: ReadonlyMap<number, TaxRow>): CombinedTax | null {
  const byOrder = (a: TaxRow, b: TaxRow) => a.order - b.order
  // Taxes of other companies are not in the table, and Odoo leaves them out too.
  const rows = ids.flatMap((id) => taxes.get(id) ?? []).sort(byOrder)
  const terms = rows.flatMap((row) => {
    if (row.kind !== 'group') return [row]
    return row.childIds.flatMap((id) => taxes.get(id) ?? []).sort(byOrder)
  })
  const isComplete = rows.every(({ childIds }) => childIds.every((id) => taxes.has(id)))
  if (!isComplete || !terms.every(isTerm)) return null
  const includedCount = terms.filter(({ isIncluded }) => isIncluded).length
  return {
    ids: rows.map(({ id }) => id),
    code: rows.map(({ name }) => toSlug(name).toUpperCase()).join('+') || 'NONE',
    name: rows.map(({ label }) => label).join(', ') || 'No tax',
    rate: toRate(terms),
    isIncluded: includedCount > 0 && includedCount === terms.length,
    isMixed: includedCount > 0 && includedCount < terms.length,
    terms,
    isRate: terms.length <= 1 && terms.every(({ kind }) => kind === 'percent'),
    isAdapted: rows.every((row) => row.isIncluded),
  }
}

const isTerm = (row: TaxRow): row is TaxRow & TaxTerm => row.kind === 'percent' || row.kind === 'fixed'

export const isWithoutTax = ({ terms }: CombinedTax) => terms.every(({ amount }) => amount.isZero())

function toRate(terms: readonly TaxTerm[]): Decimal {
  const percents = terms.map((term) => (term.kind === 'fixed' ? { ...term, amount: new Decimal(0) } : term))
  return Decimal.sum(0, ...computeTaxesOnNet(percents, new Decimal(1)))
}
