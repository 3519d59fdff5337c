import { Decimal } from 'decimal.js'

/** Precise enough for an exact product of any price and quantity, so that each amount is rounded only once. */
export const ExactDecimal = Decimal.clone({ precision: 60 })

/** The decimals of the demo merchant's currency. */
const DECIMALS = 2

/** Rounds half up to the currency's decimals. */
export const roundToCents = (value: Decimal.Value): Decimal =>
  new ExactDecimal(value).toDecimalPlaces(DECIMALS, Decimal.ROUND_HALF_UP)

/** Formats an amount: "1234.50". */
export const formatAmount = (value: Decimal.Value): string => roundToCents(value).toFixed(DECIMALS)

export const sumAmounts = (values: readonly Decimal.Value[]): Decimal =>
  values.reduce<Decimal>((total, value) => total.plus(value), new ExactDecimal(0))
