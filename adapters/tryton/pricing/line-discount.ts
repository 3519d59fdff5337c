import { Decimal } from 'decimal.js'

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** The difference between a line at its price and at its price after promotions, each rounded as a cart rounds it. */
export function computeLineDiscount(
  { price, quantity }: { price: string; quantity: string },
  finalPrice: string,
  digits: number,
) {
  const toGross = (unitPrice: string) => new Exact(unitPrice).times(quantity).toDecimalPlaces(digits)
  return toGross(price).minus(toGross(finalPrice))
}
