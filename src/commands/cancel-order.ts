import { Problem } from '../errors.ts'
import type { OrderKey } from '../ports/accounting.ts'
import type { Order, OrderStatus } from '../ports/order.ts'
import { findOrder, type OrderRecord } from '../storage/orders.ts'
import type { CustomerPlace } from './commerce.ts'
import { ownerOf } from './place-order.ts'
import { recordCancelled } from './settled-order.ts'

/** How the ledger is asked for an order that shoppers know by this id. */
export const keyOf = (orderId: string): OrderKey =>
  orderId.startsWith('ord_') ? { reference: orderId } : { order_id: orderId }

/** `null`: it was not placed here, or it is another's. */
export async function storedOrder(place: CustomerPlace, orderId: string): Promise<OrderRecord | null> {
  return orderId.startsWith('ord_') ? findOrder(place.commerce.db, ownerOf(place), orderId) : null
}

/** What the ledger would allow is not enough: what is on its way, or invoiced, is not cancelled here. */
export function isCancellable({ status, invoiced, shipments }: Pick<Order, 'status' | 'invoiced' | 'shipments'>) {
  return (status === 'PENDING' || status === 'CONFIRMED') && !invoiced && shipments.length === 0
}

/** Cancels an order, or finds it cancelled. Rejects with Problem and UpstreamError; asked again, it goes on where it was. */
export async function cancelOrder(
  place: CustomerPlace,
  orderId: string,
  why: { reason: string; note: string | null },
): Promise<Order> {
  const { office, asking, customerId, commerce } = place
  const stored = await storedOrder(place, orderId)
  // Without the ledger's answer nobody knows whether there is anything to cancel.
  if (stored?.status === 'PENDING')
    throw notCancellable('PENDING', 'This order is still being placed; try again shortly.')
  if (stored?.status === 'REJECTED') throw notCancellable('REJECTED')
  const live = { asking, priority: 'checkout' as const }
  const order = await office.account.orderNow(customerId, keyOf(orderId), live)
  if (!order) throw new Problem('not_found')
  const own = stored ?? (order.reference ? await storedOrder(place, order.reference) : null)
  const cancelled = order.status === 'CANCELLED' ? order : await cancelAt(place, order, why)
  if (own) await recordCancelled(commerce, own, cancelled)
  return cancelled
}

async function cancelAt(place: CustomerPlace, order: Order, why: { reason: string; note: string | null }) {
  const { office, asking, customerId } = place
  if (!isCancellable(order)) throw notCancellable(order.status)
  const key = { order_id: order.order_id }
  const answer = await office.account.cancelOrder(customerId, key, why, { asking, priority: 'checkout' })
  if (!answer) throw new Problem('not_found')
  if (answer.state === 'refused') throw notCancellable(answer.status)
  return answer.order
}

const notCancellable = (status: OrderStatus, detail?: string) =>
  new Problem('order_not_cancellable', detail, { members: { current_status: status } })
