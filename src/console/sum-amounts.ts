import { Decimal } from 'decimal.js'

export const sumAmounts = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0))
