import type { Order, RefusalReason } from '../../ports/order.ts'
import { convertCart, freeCart } from '../../storage/commerce/carts.ts'
import type { Database } from '../../storage/database.ts'
import {
  cancelStoredOrder,
  confirmOrder,
  forgetOrder,
  forgetUnsentOrder,
  type OrderRecord,
  rejectOrder,
  tellOfOrder,
} from '../../storage/commerce/orders.ts'
import { transact } from '../../storage/transact.ts'
import { type Announcement, announceOrder } from '../../changes/publish-order-updates.ts'
import type { Commerce } from '../command-context.ts'
import { ofRecord } from '../../contract/order-view.ts'

/** What is written in the same transaction as an order's new state. */
export type Beside = (transaction: Database, record: OrderRecord) => Promise<void>

type Desk = Pick<Commerce, 'db' | 'now'>

const nothing: Beside = async () => {}
/** When an order that was told of is first asked for again. */
const SOON_MS = 1_000

/** The ledger took it: order, cart and event together. `null`: another process knew before. */
export function recordPlaced(
  { db, now }: Desk,
  pending: OrderRecord,
  placed: Order,
  beside: Beside = nothing,
): Promise<OrderRecord | null> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...pending, status: 'CONFIRMED', placed, updated_at: at }
  return transact(db, async (transaction) => {
    if (!(await confirmOrder(transaction, pending, placed, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at)
    await tellWorld(transaction, record, { through: ['CONFIRMED'] })
    await beside(transaction, record)
    return record
  })
}

/** The ledger refused it. What nobody was told of never was, and its cart is free; else it is REJECTED. `settled`: another process knew before. */
export function recordRefused(
  { db, now }: Desk,
  pending: OrderRecord,
  reason: RefusalReason,
): Promise<'freed' | 'rejected' | 'settled'> {
  const at = new Date(now()).toISOString()
  return transact(db, async (transaction) => {
    if (await forgetOrder(transaction, pending)) {
      await freeCart(transaction, pending.cart_id, pending.order_id)
      return 'freed'
    }
    if (!(await rejectOrder(transaction, pending, reason, at))) return 'settled'
    const record: OrderRecord = { ...pending, status: 'REJECTED', reject_reason: reason, told: true, updated_at: at }
    await tellWorld(transaction, record, { rejectReason: reason })
    return 'rejected'
  })
}

/** It never reached the ledger: it never was, and its cart is free. `false`: others are on it by now, and may have sent it. */
export function recordUnsent({ db }: Desk, pending: OrderRecord): Promise<boolean> {
  return transact(db, async (transaction) => {
    if (!(await forgetUnsentOrder(transaction, pending))) return false
    await freeCart(transaction, pending.cart_id, pending.order_id)
    return true
  })
}

/** There is no answer, and the shopper is told that it is being processed. `null`: it is settled by now. */
export function recordTold({ db, now }: Desk, pending: OrderRecord, beside: Beside = nothing) {
  const at = { now: new Date(now()).toISOString(), until: new Date(now() + SOON_MS).toISOString() }
  const record: OrderRecord = { ...pending, told: true, leased_until: at.until, updated_at: at.now }
  return transact(db, async (transaction) => {
    if (!(await tellOfOrder(transaction, pending, at))) return null
    await convertCart(transaction, pending.cart_id, pending.order_id, at.now)
    await beside(transaction, record)
    return record
  })
}

/** The ledger cancelled it. Told once, however often it is asked for. */
export async function recordCancelled({ db, now }: Desk, confirmed: OrderRecord, order: Order): Promise<void> {
  const at = new Date(now()).toISOString()
  const record: OrderRecord = { ...confirmed, status: 'CANCELLED', placed: order, updated_at: at }
  await transact(db, async (transaction) => {
    if (!(await cancelStoredOrder(transaction, confirmed, order, at))) return
    await tellWorld(transaction, record, { known: { status: 'CONFIRMED', shipments: 0 } })
  })
}

async function tellWorld(transaction: Database, record: OrderRecord, how: Omit<Announcement, 'order'>): Promise<void> {
  const { tenant_id, mode, updated_at } = record
  await announceOrder(transaction, { tenant_id, mode }, { order: ofRecord(record), ...how }, updated_at)
}
