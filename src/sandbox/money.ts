import { Decimal } from 'decimal.js'

/** Wide enough that a product of any price and any quantity is exact, so that each amount is rounded once. */
export const ExactDecimal = Decimal.clone({ precision: 60 })

/** The demo merchant's currency has two. */
const DIGITS = 2

/** Half up, to the currency's digits. */
export const roundToCents = (value: Decimal.Value): Decimal =>
  new ExactDecimal(value).toDecimalPlaces(DIGITS, Decimal.ROUND_HALF_UP)

/** An amount as it is written: "1234.50". */
export const formatAmount = (value: Decimal.Value): string => roundToCents(value).toFixed(DIGITS)

export const sumAmounts = (values: readonly Decimal.Value[]): Decimal =>
  values.reduce<Decimal>((total, value) => total.plus(value), new ExactDecimal(0))
