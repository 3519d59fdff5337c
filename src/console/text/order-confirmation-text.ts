import type { OrderTryRow } from '../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { formatCount } from './format-numbers.ts'
import { describeOrderAttempt, isWithoutCall } from './order-attempt-text.ts'

type ToTime = (at: string) => string
type ConfirmedOrder = Pick<OrderRecord, 'order_id' | 'attempts' | 'updated_at'>

/** Says how often accounting was asked for a confirmed order, how the first call failed, when the order was confirmed, and that it exists once. */
export function describeOrderConfirmation(
  order: ConfirmedOrder,
  tries: readonly OrderTryRow[],
  toTime: ToTime,
): string {
  const failed = tries.find((one) => one.outcome !== 'placed' && !isWithoutCall(one))
  const placed = tries.find(({ outcome }) => outcome === 'placed')
  const confirmed = `Accounting confirmed the order at ${toTime(placed?.at ?? order.updated_at)}`
  if (!failed) return `${confirmed}.`
  const first = `${countCalls(order, tries)}, and the first call failed: ${describeOrderAttempt(failed)}.`
  const how = placed ? `at attempt ${placed.number + 1}` : 'as its change feed reported, before it was asked again'
  return `${first} ${confirmed}, ${how}. It was placed once: each attempt sends the same reference, ${order.order_id}, and accounting keeps one order of a reference.`
}

/** Only some attempts of many are stored. */
function countCalls({ attempts }: ConfirmedOrder, tries: readonly OrderTryRow[]): string {
  const calls = tries.filter((one) => !isWithoutCall(one)).length
  const isComplete = tries.length === (tries.at(-1)?.number ?? attempts) + 1
  return `Accounting was asked ${isComplete ? '' : 'at least '}${calls === 1 ? 'once' : formatCount(calls, 'time')}`
}
