import { Problem, UpstreamError } from '../../errors.ts'
import { listOrderTries, type OrderTryRow } from '../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { leaseOrder } from '../../storage/commerce/pending-orders.ts'
import type { AccountingClient } from '../../upstream/readers/accounting-client.ts'
import { createRequestScope } from '../../upstream/request/request-scope.ts'
import type { CommandDependencies } from '../command-context.ts'
import { ENDED_BY_OPERATOR, markOrderConfirmed, markOrderRefused } from './order-transitions.ts'

const LOOK_UP_TIMEOUT_MS = 10_000
/** No other process sends the order while accounting is asked about it. */
const LEASE_MS = 15_000

/** Why an operator cannot end an order now; `null`: it can be ended. */
export type EndOrderObstacle = 'not_pending' | 'try_under_way' | 'not_refused' | null

/**
 * Returns whether an operator may end a pending order: only if accounting responded to the latest try and rejected it. After any other
 * failure, accounting may still place the order.
 */
export function findEndObstacle(order: OrderRecord, tries: readonly OrderTryRow[], now: number): EndOrderObstacle {
  if (order.status !== 'PENDING' || !order.acknowledged) return 'not_pending'
  const last = tries.at(-1)
  if (Date.parse(order.leased_until) > now && last?.number !== order.attempts) return 'try_under_way'
  // A try without an outcome may have reached accounting: the process ended, or the store was away.
  return last?.number === order.attempts && last.outcome === 'rejected' ? null : 'not_refused'
}

const obstacleTexts = {
  not_pending: 'The order is not pending any more.',
  try_under_way: 'The order is being sent to accounting at this moment. Try again in 15 seconds.',
  not_refused: 'Accounting did not refuse the latest attempt, so it may still place the order.',
} as const

/** Ends a pending order that accounting rejects in words of its own. Asks accounting first: an order that it has is confirmed instead. */
export async function endOrderAsOperator(
  commerce: Pick<CommandDependencies, 'db' | 'now'>,
  order: OrderRecord,
  accounting: Pick<AccountingClient, 'orderNow'>,
): Promise<'rejected' | 'confirmed'> {
  const { db, now } = commerce
  const obstacle = findEndObstacle(order, await listOrderTries(db, order.order_id), now())
  if (obstacle) throw new Problem('order_not_cancellable', obstacleTexts[obstacle])
  if (!(await leaseOrder(db, order, new Date(now() + LEASE_MS).toISOString())))
    throw new Problem('order_not_cancellable', obstacleTexts.try_under_way)
  const placed = await lookUpOrder(accounting, order, now)
  if (placed) {
    await markOrderConfirmed(commerce, order, placed)
    return 'confirmed'
  }
  const result = await markOrderRefused(commerce, order, ENDED_BY_OPERATOR)
  if (result !== 'rejected') throw new Problem('order_not_cancellable', obstacleTexts.not_pending)
  return 'rejected'
}

/** An order that cannot be looked up is not ended: the shopper would be told that it failed, and it might still arrive. */
async function lookUpOrder(accounting: Pick<AccountingClient, 'orderNow'>, order: OrderRecord, now: () => number) {
  const requestScope = createRequestScope(
    { requestId: `end-${order.order_id}` },
    { totalMs: LOOK_UP_TIMEOUT_MS, reserveMs: 0 },
    now,
  )
  const live = { requestScope, priority: 'checkout', timeoutMs: LOOK_UP_TIMEOUT_MS } as const
  try {
    return await accounting.orderNow(order.customer_id, { reference: order.order_id }, live)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new Problem(
      'order_not_cancellable',
      'Accounting could not be asked whether it has the order. Try again later.',
    )
  }
}
