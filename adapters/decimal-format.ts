import { Decimal } from 'decimal.js'

/** The maximum number of decimals of any number in the contract. */
const MAX_DECIMALS = 6

/** Returns a function that formats amounts of a currency: at least its own digits, at most 6, rounded half up, without an exponent. */
export function createAmountFormatter(currency: string): (value: Decimal.Value) => string {
  const minDecimals = Math.min(MAX_DECIMALS, currencyDecimals(currency))
  return (value) => {
    const rounded = round(value)
    return rounded.toFixed(Math.max(minDecimals, rounded.decimalPlaces()))
  }
}

/** Formats a rate, quantity or factor: as few decimals as it needs, at most 6, without an exponent. */
export const formatDecimal = (value: Decimal.Value): string => round(value).toFixed()

const round = (value: Decimal.Value) => new Decimal(value).toDecimalPlaces(MAX_DECIMALS, Decimal.ROUND_HALF_UP)

function currencyDecimals(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    // The currency is not a three-letter code.
    return 2
  }
}
