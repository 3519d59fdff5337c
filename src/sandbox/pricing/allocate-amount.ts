import type { Decimal } from 'decimal.js'
import { Exact } from '../money.ts'

const CENT = new Exact('0.01')

/** An amount over parts in proportion to them, in whole cents whose sum is the amount: the largest remainders get the cents that are left. */
export function spread(amount: Decimal, parts: readonly Decimal[]): Decimal[] {
  const total = parts.reduce((sum, part) => sum.plus(part), new Exact(0))
  if (total.isZero()) return parts.map(() => new Exact(0))
  const exact = parts.map((part) => amount.times(part).div(total))
  const shares = exact.map((share) => share.toDecimalPlaces(2, Exact.ROUND_DOWN))
  const left = amount.minus(shares.reduce((sum, share) => sum.plus(share), new Exact(0)))
  const byRemainder = exact
    .map((share, i) => ({ i, remainder: share.minus(shares[i]!) }))
    .sort((a, b) => b.remainder.cmp(a.remainder) || a.i - b.i)
  for (const { i } of byRemainder.slice(0, left.div(CENT).round().toNumber())) shares[i] = shares[i]!.plus(CENT)
  return shares
}
