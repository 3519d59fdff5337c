import { Decimal } from 'decimal.js'
import type { AppliedCodes } from './apply-promotion-codes.ts'
import type { Pricing } from './price-reader.ts'
import { isMixedCart, toLinesWithoutTax } from './prices-without-tax.ts'
import { toTaxedLines } from './quote-lines.ts'

/** Converts a cart to prices without tax if some of its taxes are included in prices and others are not. Other carts stay as they are. */
export function convertMixedCart(
  applied: AppliedCodes,
  quantities: ReadonlyMap<string, string>,
  { products, rounding }: Pick<Pricing, 'products' | 'rounding'>,
): AppliedCodes {
  const taxed = toTaxedLines(applied.lines, quantities, applied.percents, products, applied.unitPrices)
  if (!isMixedCart(taxed.map(({ tax }) => tax))) return applied
  const mixed = applied.lines.map((line, i) => ({ line, quantity: quantities.get(line.line_id)!, taxed: taxed[i]! }))
  const lines = toLinesWithoutTax(mixed, rounding)
  const discount = Decimal.sum(0, ...lines.map((line) => line.discount)).toFixed(rounding.digits)
  return {
    ...applied,
    lines,
    promotions: applied.promotions.map((one) => (one.status === 'APPLIED' ? { ...one, discount } : one)),
    unitPrices: new Map(
      applied.lines.map(({ line_id, unit_price }) => [line_id, applied.unitPrices.get(line_id) ?? unit_price]),
    ),
  }
}
