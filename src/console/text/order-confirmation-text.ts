import type { OrderTryRow } from '../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { formatCount } from './format-numbers.ts'
import { describeOrderAttempt, isWithoutCall } from './order-attempt-text.ts'

type ToTime = (at: string) => string
type ConfirmedOrder = Pick<OrderRecord, 'order_id' | 'attempts' | 'updated_at' | 'placed'>

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
  const lost = describeLostResponse(order, tries, toTime)
  return `${first}${lost} ${confirmed}, ${how}. It was placed once: each attempt sends the same reference, ${order.order_id}, and accounting keeps one order of a reference.`
}

/** Only some attempts of many are stored. */
function countCalls({ attempts }: ConfirmedOrder, tries: readonly OrderTryRow[]): string {
  const calls = tries.filter((one) => !isWithoutCall(one)).length
  const isComplete = tries.length === (tries.at(-1)?.number ?? attempts) + 1
  return `Accounting was asked ${isComplete ? '' : 'at least '}${calls === 1 ? 'once' : formatCount(calls, 'time')}`
}

/** Without a connection, accounting cannot have stored the order. */
const WITHOUT_CONNECTION = /^(connection refused|name not found|TLS certificate)/

/** Says that accounting stored the order at an attempt without a response: its own time of the order shows it, or that it was asked only once. */
function describeLostResponse({ placed }: ConfirmedOrder, tries: readonly OrderTryRow[], toTime: ToTime): string {
  const calls = tries.filter((one) => !isWithoutCall(one))
  const unanswered = calls.filter(({ outcome, kind }) => outcome !== 'placed' && !WITHOUT_CONNECTION.test(kind))
  const storedAt = Date.parse(placed?.placed_at ?? '')
  const found = unanswered.find(({ at }) => storedAt <= Date.parse(at)) ?? (calls.length === 1 ? unanswered[0] : null)
  if (!found) return ''
  const time = Number.isNaN(storedAt) ? '' : ` (at ${toTime(placed!.placed_at)} by its own clock)`
  return ` Accounting stored the order at attempt ${found.number + 1}${time}: only its response was lost.`
}
