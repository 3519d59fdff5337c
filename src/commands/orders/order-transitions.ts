import { type OrderUpdate, publishOrderUpdate } from '../../changes/orders/publish-order-updates.ts'
import { recordToShopperOrder } from '../../contract/orders/order-mapping.ts'
import type { Order, OrderRefusalReason } from '../../ports/order.ts'
import { convertCart, unbindCart } from '../../storage/commerce/carts.ts'
import { deleteOrderTries } from '../../storage/commerce/order-tries.ts'
import { cancelStoredOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import {
  confirmStoredOrder,
  deletePendingOrder,
  deleteUnsentOrder,
  markOrderAcknowledged,
  rejectStoredOrder,
} from '../../storage/commerce/pending-orders.ts'
import type { Database } from '../../storage/database.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'

/** A write that joins the transaction of an order's new state. */
export type TransactionalWrite = (transaction: Database, record: OrderRecord) => Promise<void>

type TransitionContext = Pick<CommandDependencies, 'db' | 'now'>

const writeNothing: TransactionalWrite = async () => {}
/** The reason of an order that an operator ended, because accounting refuses it for a reason that no adapter recognizes. */
export const ENDED_BY_OPERATOR = 'ENDED_BY_OPERATOR'
/** The delay before the first retry of an order that became PENDING. */
const FIRST_RETRY_MS = 1_000

/** Accounting placed the order: updates order and cart and appends the event. `null`: another process was faster. */
export function markOrderConfirmed(
  { db, now }: TransitionContext,
  pending: OrderRecord,
  placed: Order,
  alsoWrite: TransactionalWrite = writeNothing,
): Promise<OrderRecord | null> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...pending, status: 'CONFIRMED', placed, updated_at: at }
  return transact(db, async (transaction) => {
    if (!(await confirmStoredOrder(transaction, pending, placed, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at)
    await publish(transaction, record, { passedThrough: ['CONFIRMED'] })
    await alsoWrite(transaction, record)
    return record
  })
}

/**
 * Accounting refused the order. If no shopper has seen it, it is deleted and its cart is open again; otherwise it becomes REJECTED.
 * `already_resolved`: another process was faster.
 */
export function markOrderRefused(
  { db, now }: TransitionContext,
  pending: OrderRecord,
  reason: OrderRefusalReason | typeof ENDED_BY_OPERATOR,
): Promise<'discarded' | 'rejected' | 'already_resolved'> {
  const at = new Date(now()).toISOString()
  return transact(db, async (transaction) => {
    if (await deletePendingOrder(transaction, pending)) {
      await deleteOrderTries(transaction, [pending.order_id])
      await unbindCart(transaction, pending.cart_id, pending.order_id)
      return 'discarded'
    }
    if (!(await rejectStoredOrder(transaction, pending, reason, at))) return 'already_resolved'
    const record: OrderRecord = {
      ...pending,
      status: 'REJECTED',
      reject_reason: reason,
      acknowledged: true,
      updated_at: at,
    }
    await publish(transaction, record, { rejectReason: reason })
    return 'rejected'
  })
}

/** Deletes an order that was never sent, and opens its cart again. `false`: another process has taken the order over and may have sent it. */
export function discardUnsentOrder({ db }: TransitionContext, pending: OrderRecord): Promise<boolean> {
  return transact(db, async (transaction) => {
    if (!(await deleteUnsentOrder(transaction, pending))) return false
    await deleteOrderTries(transaction, [pending.order_id])
    await unbindCart(transaction, pending.cart_id, pending.order_id)
    return true
  })
}

/** Accounting has not responded: the shopper sees the order as PENDING, and it is retried. `null`: the order has been resolved meanwhile. */
export function markOrderPending(
  { db, now }: TransitionContext,
  pending: OrderRecord,
  alsoWrite: TransactionalWrite = writeNothing,
) {
  const at = { now: new Date(now()).toISOString(), until: new Date(now() + FIRST_RETRY_MS).toISOString() }
  const record: OrderRecord = { ...pending, acknowledged: true, leased_until: at.until, updated_at: at.now }
  return transact(db, async (transaction) => {
    if (!(await markOrderAcknowledged(transaction, pending, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at.now)
    await alsoWrite(transaction, record)
    return record
  })
}

/** Accounting cancelled the order. Repeated calls append one event only. */
export async function markOrderCancelled(
  { db, now }: TransitionContext,
  confirmed: OrderRecord,
  order: Order,
): Promise<void> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...confirmed, status: 'CANCELLED', placed: order, updated_at: at }
  await transact(db, async (transaction) => {
    if (!(await cancelStoredOrder(transaction, confirmed, order, at))) return
    await publish(transaction, record, { previous: { status: 'CONFIRMED', shipments: 0 } })
  })
}

async function publish(transaction: Database, record: OrderRecord, how: Omit<OrderUpdate, 'order'>): Promise<void> {
  await publishOrderUpdate(
    transaction,
    tenantOf(record),
    { order: recordToShopperOrder(record), ...how },
    record.updated_at,
  )
}
