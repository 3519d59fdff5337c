import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { daysBetween } from '../../../src/calendar/days-between.ts'
import type { Credit } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { nullable, TrytonDate, TrytonDecimal, TrytonId, toIsoDate } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'

const Line = Type.Object({
  id: TrytonId,
  maturity_date: nullable(TrytonDate),
  debit: TrytonDecimal,
  credit: TrytonDecimal,
})
const Lines = responseSchema(Type.Array(Line))

type Aging = NonNullable<Credit['aging']>
/** The buckets, oldest first: a payment that names no invoice settles the oldest. */
const buckets: [name: keyof Aging, fromDays: number][] = [
  ['days_over_90', 91],
  ['days_61_90', 61],
  ['days_31_60', 31],
  ['days_1_30', 1],
  ['current', Number.NEGATIVE_INFINITY],
]

/** Reads what a party owes by the days since it was due, and how much of it is overdue. */
export async function readReceivablesAging(
  { rpc, settings, formatAmount }: TrytonContext,
  party: number,
  today: string,
  call: Call,
) {
  const domain = [
    ['party', '=', party],
    ['account.type.receivable', '=', true],
    ['account.company', '=', settings.company ?? 1],
    ['reconciliation', '=', null],
  ]
  const fields = ['maturity_date', 'debit', 'credit']
  const lines = await rpc(Lines, 'account.move.line.search_read', [domain, 0, null, [['id', 'ASC']], fields], call)
  const sums = new Map(buckets.map(([name]) => [name, new Decimal(0)]))
  let paid = new Decimal(0)
  for (const line of lines) {
    const owed = new Decimal(line.debit.decimal).minus(line.credit.decimal)
    if (owed.lt(0)) paid = paid.minus(owed)
    else sums.set(findBucket(line, today), sums.get(findBucket(line, today))!.plus(owed))
  }
  for (const [name] of buckets) {
    const applied = Decimal.min(paid, sums.get(name)!)
    sums.set(name, sums.get(name)!.minus(applied))
    paid = paid.minus(applied)
  }
  // A payment above the debt is a credit in the current bucket.
  sums.set('current', sums.get('current')!.minus(paid))
  const overdue = buckets.slice(0, -1).reduce((sum, [name]) => sum.plus(sums.get(name)!), new Decimal(0))
  const aging = Object.fromEntries(
    buckets.toReversed().map(([name]) => [name, formatAmount(sums.get(name)!.toFixed())]),
  )
  return { aging: aging as Aging, overdue: formatAmount(overdue.toFixed()) }
}

function findBucket({ maturity_date }: Static<typeof Line>, today: string): keyof Aging {
  const daysOverdue = maturity_date === null ? 0 : daysBetween(toIsoDate(maturity_date), today)
  return buckets.find(([, fromDays]) => daysOverdue >= fromDays)![0]
}
