import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** What a line costs less at its last price: both are rounded as a cart rounds them. */
export function computeLineDiscount(
  { price, quantity }: { price: string; quantity: string },
  last: string,
  digits: number,
) {
  const gross = (unit: string) => new Exact(unit).times(quantity).toDecimalPlaces(digits)
  return gross(price).minus(gross(last))
}
