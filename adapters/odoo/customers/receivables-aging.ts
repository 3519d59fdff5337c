import { Decimal } from 'decimal.js'
import { daysBetween } from '../../../src/calendar/days-between.ts'
import type { Credit } from '../../../src/ports/accounting.ts'

type Bucket = keyof NonNullable<Credit['aging']>
/** The buckets, oldest first: a payment that names no invoice settles the oldest. */
const buckets: [name: Bucket, fromDays: number][] = [
  ['days_over_90', 91],
  ['days_61_90', 61],
  ['days_31_60', 31],
  ['days_1_30', 1],
  ['current', Number.NEGATIVE_INFINITY],
]

/** Sums what a customer owes by the days since it was due, and how much of it is overdue. */
export function ageReceivables(
  lines: readonly { date_maturity: string | false; amount_residual: number }[],
  today: string,
): { aging: [Bucket, Decimal][]; overdue: Decimal } {
  const sums = new Map(buckets.map(([name]) => [name, new Decimal(0)]))
  let paid = new Decimal(0)
  for (const { date_maturity, amount_residual } of lines) {
    const daysOverdue = date_maturity ? daysBetween(date_maturity, today) : 0
    const [name] = buckets.find(([, fromDays]) => daysOverdue >= fromDays)!
    if (amount_residual < 0) paid = paid.minus(amount_residual)
    else sums.set(name, sums.get(name)!.plus(amount_residual))
  }
  for (const [name] of buckets) {
    const applied = Decimal.min(paid, sums.get(name)!)
    sums.set(name, sums.get(name)!.minus(applied))
    paid = paid.minus(applied)
  }
  // A payment above the debt is a credit in the current bucket.
  sums.set('current', sums.get('current')!.minus(paid))
  const overdue = Decimal.sum(0, ...buckets.slice(0, -1).map(([name]) => sums.get(name)!))
  return { aging: buckets.toReversed().map(([name]) => [name, sums.get(name)!]), overdue }
}
