import { Decimal } from 'decimal.js'

/** Rounds a unit price as Tryton stores it on a sale line: four decimals, halves to even digits. */
export const roundUnitPrice = (value: string): string =>
  new Decimal(value).toDecimalPlaces(4, Decimal.ROUND_HALF_EVEN).toFixed()
