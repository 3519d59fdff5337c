import { type OrderUpdate, publishOrderUpdate } from '../../changes/publish-order-updates.ts'
import { recordToShopperOrder } from '../../contract/order-view.ts'
import type { Order, OrderRefusalReason } from '../../ports/order.ts'
import { convertCart, unbindCart } from '../../storage/commerce/carts.ts'
import {
  cancelStoredOrder,
  confirmStoredOrder,
  deletePendingOrder,
  deleteUnsentOrder,
  markOrderAcknowledged,
  type OrderRecord,
  rejectStoredOrder,
} from '../../storage/commerce/orders.ts'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import type { CommandDependencies } from '../command-context.ts'

/** What is written in the same transaction as an order's new state. */
export type TransactionalWrite = (transaction: Database, record: OrderRecord) => Promise<void>

type Desk = Pick<CommandDependencies, 'db' | 'now'>

const nothing: TransactionalWrite = async () => {}
/** When an order that was told of is first asked for again. */
const SOON_MS = 1_000

/** The ledger took it: order, cart and event together. `null`: another process knew before. */
export function markOrderConfirmed(
  { db, now }: Desk,
  pending: OrderRecord,
  placed: Order,
  beside: TransactionalWrite = nothing,
): Promise<OrderRecord | null> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...pending, status: 'CONFIRMED', placed, updated_at: at }
  return transact(db, async (transaction) => {
    if (!(await confirmStoredOrder(transaction, pending, placed, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at)
    await tellWorld(transaction, record, { through: ['CONFIRMED'] })
    await beside(transaction, record)
    return record
  })
}

/** The ledger refused it. What nobody was told of never was, and its cart is free; else it is REJECTED. `settled`: another process knew before. */
export function markOrderRefused(
  { db, now }: Desk,
  pending: OrderRecord,
  reason: OrderRefusalReason,
): Promise<'freed' | 'rejected' | 'settled'> {
  const at = new Date(now()).toISOString()
  return transact(db, async (transaction) => {
    if (await deletePendingOrder(transaction, pending)) {
      await unbindCart(transaction, pending.cart_id, pending.order_id)
      return 'freed'
    }
    if (!(await rejectStoredOrder(transaction, pending, reason, at))) return 'settled'
    const record: OrderRecord = { ...pending, status: 'REJECTED', reject_reason: reason, told: true, updated_at: at }
    await tellWorld(transaction, record, { rejectReason: reason })
    return 'rejected'
  })
}

/** It never reached the ledger: it never was, and its cart is free. `false`: others are on it by now, and may have sent it. */
export function discardUnsentOrder({ db }: Desk, pending: OrderRecord): Promise<boolean> {
  return transact(db, async (transaction) => {
    if (!(await deleteUnsentOrder(transaction, pending))) return false
    await unbindCart(transaction, pending.cart_id, pending.order_id)
    return true
  })
}

/** There is no answer, and the shopper is told that it is being processed. `null`: it is settled by now. */
export function markOrderPending({ db, now }: Desk, pending: OrderRecord, beside: TransactionalWrite = nothing) {
  const at = { now: new Date(now()).toISOString(), until: new Date(now() + SOON_MS).toISOString() }
  const record: OrderRecord = { ...pending, told: true, leased_until: at.until, updated_at: at.now }
  return transact(db, async (transaction) => {
    if (!(await markOrderAcknowledged(transaction, pending, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at.now)
    await beside(transaction, record)
    return record
  })
}

/** The ledger cancelled it. Told once, however often it is asked for. */
export async function markOrderCancelled({ db, now }: Desk, confirmed: OrderRecord, order: Order): Promise<void> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...confirmed, status: 'CANCELLED', placed: order, updated_at: at }
  await transact(db, async (transaction) => {
    if (!(await cancelStoredOrder(transaction, confirmed, order, at))) return
    await tellWorld(transaction, record, { known: { status: 'CONFIRMED', shipments: 0 } })
  })
}

async function tellWorld(transaction: Database, record: OrderRecord, how: Omit<OrderUpdate, 'order'>): Promise<void> {
  const { tenant_id, mode, updated_at } = record
  await publishOrderUpdate(
    transaction,
    { tenant_id, mode },
    { order: recordToShopperOrder(record), ...how },
    updated_at,
  )
}
