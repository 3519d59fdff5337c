import { Problem } from '../../errors.ts'
import type { OrderKey } from '../../ports/accounting.ts'
import type { Order, OrderStatus } from '../../ports/order.ts'
import { findOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import type { LiveCallOptions } from '../../upstream/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { toOrderOwner } from './check-out.ts'
import { markOrderCancelled } from './order-transitions.ts'
import { isCancellationUncertain, retryCancellation } from './retry-cancellation.ts'

/** A ledger takes back shipments and invoices one after the other: it is given what the request has left, up to this. */
const ANSWER_MS = 4_000
const LEAST_MS = 400
/** How the ledger is asked for an order that shoppers know by this id. */
export const toOrderKey = (orderId: string): OrderKey =>
  orderId.startsWith('ord_') ? { reference: orderId } : { order_id: orderId }

/** A store must not be asked for anything else: PostgreSQL fails at what text cannot hold. */
const ORDER_ID = /^ord_[0-9A-Za-z]{22}$/

/** `null`: it was not placed here, or it is another's. */
export async function findStoredOrder(place: CustomerCommandContext, orderId: string): Promise<OrderRecord | null> {
  return ORDER_ID.test(orderId) ? findOrder(place.commerce.db, toOrderOwner(place), orderId) : null
}

/** What the ledger would allow is not enough: what is on its way, or invoiced, is not cancelled here. */
export function isOrderCancellable({ status, invoiced, shipments }: Pick<Order, 'status' | 'invoiced' | 'shipments'>) {
  return (status === 'PENDING' || status === 'CONFIRMED') && !invoiced && shipments.length === 0
}

/**
 * Cancels an order, or finds it cancelled. Rejects with Problem and UpstreamError. A ledger that may have begun is asked to go on
 * behind that answer, so that no order stays half cancelled because a shopper does not ask again; asked again, it goes on where it was.
 */
export async function cancelOrder(
  place: CustomerCommandContext,
  orderId: string,
  why: { reason: string; note: string | null },
): Promise<Order> {
  const { backOffice, requestScope, customerId, commerce } = place
  const stored = await findStoredOrder(place, orderId)
  mustBeAnswered(stored)
  const live = { requestScope, priority: 'checkout' as const }
  const order = await backOffice.accounting.orderNow(customerId, toOrderKey(orderId), live)
  if (!order) throw new Problem('not_found')
  const own = stored ?? (order.reference ? await findStoredOrder(place, order.reference) : null)
  mustBeAnswered(own)
  const record = async (cancelled: Order) => {
    if (own) await markOrderCancelled(commerce, own, cancelled)
    return cancelled
  }
  if (order.status === 'CANCELLED') return record(order)
  if (!isOrderCancellable(order)) throw notCancellable(order.status)
  const ask = (live: LiveCallOptions) =>
    backOffice.accounting.cancelOrder(customerId, { order_id: order.order_id }, why, live)
  try {
    const timeoutMs = Math.max(LEAST_MS, Math.min(ANSWER_MS, requestScope.leftMs()))
    const answer = await ask({ ...live, timeoutMs })
    if (!answer) throw new Problem('not_found')
    if (answer.state === 'refused') throw notCancellable(answer.status)
    return await record(answer.order)
  } catch (error) {
    if (isCancellationUncertain(error)) {
      const name = [place.tenantId, place.mode, order.order_id].join('/')
      void retryCancellation(name, { ask, record, now: commerce.now })
    }
    throw error
  }
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

const notCancellable = (status: OrderStatus) =>
  new Problem('order_not_cancellable', undefined, { members: { current_status: status } })
