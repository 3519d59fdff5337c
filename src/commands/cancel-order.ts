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

/** A store must not be asked for anything else: PostgreSQL fails at what text cannot hold. */
const ORDER_ID = /^ord_[0-9A-Za-z]{22}$/

/** `null`: it was not placed here, or it is another's. */
export async function storedOrder(place: CustomerPlace, orderId: string): Promise<OrderRecord | null> {
  return ORDER_ID.test(orderId) ? findOrder(place.commerce.db, ownerOf(place), orderId) : null
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
  mustBeAnswered(stored)
  const live = { asking, priority: 'checkout' as const }
  const order = await office.account.orderNow(customerId, keyOf(orderId), live)
  if (!order) throw new Problem('not_found')
  const own = stored ?? (order.reference ? await storedOrder(place, order.reference) : null)
  mustBeAnswered(own)
  const cancelled = order.status === 'CANCELLED' ? order : await cancelAt(place, order, why)
  if (own) await recordCancelled(commerce, own, cancelled)
  return cancelled
}

/** Until the ledger's answer is known here, what it then becomes cannot be told of. */
function mustBeAnswered(own: OrderRecord | null): void {
  if (own?.status === 'PENDING')
    throw new Problem('order_not_cancellable', 'This order is still being placed; try again shortly.', {
      headers: { 'Retry-After': '1' },
      members: { current_status: 'PENDING' },
    })
  if (own?.status === 'REJECTED') throw notCancellable('REJECTED')
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

const notCancellable = (status: OrderStatus) =>
  new Problem('order_not_cancellable', undefined, { members: { current_status: status } })
