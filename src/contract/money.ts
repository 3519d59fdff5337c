import { Decimal } from 'decimal.js'
import Type, { type Static } from 'typebox'

export const DecimalString = Type.String({
  pattern: '^-?\\d+(\\.\\d{1,6})?$',
  description: 'A decimal number as text, to keep it exact',
})

export const Money = Type.Object(
  { amount: DecimalString, currency: Type.String({ description: 'ISO 4217' }) },
  { $id: 'Money', description: 'With at least the decimals of its currency, and up to six for a unit price' },
)
export type Money = Static<typeof Money>

const digitsByCurrency = new Map<string, number>()

/** Returns the number of decimals of a currency: 2 for JMD, 0 for JPY. */
export function currencyDigits(currency: string): number {
  const cached = digitsByCurrency.get(currency)
  if (cached !== undefined) return cached
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  digitsByCurrency.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** Returns an amount with at least the decimals of its currency; additional decimals are kept. */
export function toMoney(amount: string, currency: string): Money {
  const value = new Decimal(amount)
  return { amount: value.toFixed(Math.max(currencyDigits(currency), value.decimalPlaces())), currency }
}
