import { Decimal } from 'decimal.js'
import type { CombinedTax } from './combined-tax.ts'
import { computeTaxes, computeTaxesOnNet } from './tax-amounts.ts'

/** Converts a price from the taxes of the product to other taxes, as Odoo does: removes the included taxes, and adds those that apply. */
export function adaptPriceToTaxes(price: Decimal, from: CombinedTax, to: CombinedTax): Decimal {
  const isSame = from.ids.length === to.ids.length && from.ids.every((id) => to.ids.includes(id))
  if (isSame || from.ids.length === 0 || !from.isAdapted) return price
  const { net } = computeTaxes(from.terms, price, 1, (amount) => amount)
  const added = computeTaxesOnNet(to.terms, net).filter((_, i) => to.terms[i]!.isIncluded)
  return Decimal.sum(net, ...added)
}
