import { expect } from 'chai'

/** At most six decimals, as in unit prices. */
export const PRICE = /^\d+(\.\d{1,6})?$/
/** An amount of a currency with two decimals. */
export const AMOUNT = /^\d+\.\d\d$/
export const SIGNED_AMOUNT = /^-?\d+\.\d\d$/

/** Expects a decimal string. `match` alone accepts a number as well. */
export function expectDecimal(value: unknown, pattern: RegExp, message?: string): void {
  expect(value, message).to.be.a('string').and.match(pattern)
}
