import { Decimal } from 'decimal.js'

/** The most decimals that any number of the contract has. */
const MOST = 6

/** Writes amounts of a currency: at least its own digits, 6 at the most, half up, never an exponent. */
export function createAmountFormatter(currency: string): (value: Decimal.Value) => string {
  const least = Math.min(MOST, digitsOf(currency))
  return (value) => {
    const rounded = round(value)
    return rounded.toFixed(Math.max(least, rounded.decimalPlaces()))
  }
}

/** A rate, quantity or factor: no more decimals than it needs, 6 at the most, never an exponent. */
export const formatDecimal = (value: Decimal.Value): string => round(value).toFixed()

const round = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(MOST, Decimal.ROUND_HALF_UP)

function digitsOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // Not three letters.
    return 2
  }
}
