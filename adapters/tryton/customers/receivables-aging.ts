import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import type { Credit } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { nullable, TrytonDate, TrytonDecimal, TrytonId, toIsoDate } from '../client/tryton-values.ts'
import { daysBetween } from '../time-zone.ts'

const Line = Type.Object({
  id: TrytonId,
  maturity_date: nullable(TrytonDate),
  debit: TrytonDecimal,
  credit: TrytonDecimal,
})
const Lines = responseSchema(Type.Array(Line))

type Aging = NonNullable<Credit['aging']>
/** Oldest first: what was paid without naming an invoice counts for the oldest. */
const buckets: [name: keyof Aging, fromDays: number][] = [
  ['days_over_90', 91],
  ['days_61_90', 61],
  ['days_31_60', 31],
  ['days_1_30', 1],
  ['current', Number.NEGATIVE_INFINITY],
]

/** What a party owes by the days since it was due, and how much of it is overdue. */
export async function readReceivablesAging(
  { rpc, settings, amount }: AccountingContext,
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
    else sums.set(bucketOf(line, today), sums.get(bucketOf(line, today))!.plus(owed))
  }
  for (const [name] of buckets) {
    const taken = Decimal.min(paid, sums.get(name)!)
    sums.set(name, sums.get(name)!.minus(taken))
    paid = paid.minus(taken)
  }
  // More was paid than is owed.
  sums.set('current', sums.get('current')!.minus(paid))
  const overdue = buckets.slice(0, -1).reduce((sum, [name]) => sum.plus(sums.get(name)!), new Decimal(0))
  const written = Object.fromEntries(buckets.toReversed().map(([name]) => [name, amount(sums.get(name)!.toFixed())]))
  return { aging: written as Aging, overdue: amount(overdue.toFixed()) }
}

function bucketOf({ maturity_date }: Static<typeof Line>, today: string): keyof Aging {
  const late = maturity_date === null ? 0 : daysBetween(toIsoDate(maturity_date), today)
  return buckets.find(([, from]) => late >= from)![0]
}
