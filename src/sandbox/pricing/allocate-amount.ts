import type { Decimal } from 'decimal.js'
import { ExactDecimal } from '../money.ts'

const CENT = new ExactDecimal('0.01')

/** Divides an amount in proportion to `parts`, in whole cents that add up to it. The largest remainders get the cents that are left. */
export function allocateAmount(amount: Decimal, parts: readonly Decimal[]): Decimal[] {
  const total = parts.reduce((sum, part) => sum.plus(part), new ExactDecimal(0))
  if (total.isZero()) return parts.map(() => new ExactDecimal(0))
  const exact = parts.map((part) => amount.times(part).div(total))
  const shares = exact.map((share) => share.toDecimalPlaces(2, ExactDecimal.ROUND_DOWN))
  const leftover = amount.minus(shares.reduce((sum, share) => sum.plus(share), new ExactDecimal(0)))
  const byRemainder = exact
    .map((share, i) => ({ i, remainder: share.minus(shares[i]!) }))
    .sort((a, b) => b.remainder.cmp(a.remainder) || a.i - b.i)
  for (const { i } of byRemainder.slice(0, leftover.div(CENT).round().toNumber())) shares[i] = shares[i]!.plus(CENT)
  return shares
}
