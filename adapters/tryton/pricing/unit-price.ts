import { Decimal } from 'decimal.js'

/** Tryton keeps the prices of a line with four decimals, halves rounded to even digits; more than that it would not sell at. */
export const roundUnitPrice = (value: string): string =>
  new Decimal(value).toDecimalPlaces(4, Decimal.ROUND_HALF_EVEN).toFixed()
