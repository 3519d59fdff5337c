import { createNotFound, Problem } from '../../errors.ts'
import type { Order, OrderStatus } from '../../ports/order.ts'
import type { OrderRecord } from '../../storage/commerce/orders.ts'
import { tenantKey } from '../../tenant.ts'
import type { LiveCallOptions } from '../../upstream/readers/run-live-call.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { findStoredOrder } from './find-stored-order.ts'
import { markOrderCancelled } from './order-transitions.ts'
import { isCancellationUncertain, retryCancellation } from './retry-cancellation.ts'
import { toAccountingOrderKey } from './to-accounting-order-key.ts'

/** Cancelling takes accounting several steps, so the call gets the request's remaining time, up to this limit. */
const CANCEL_TIMEOUT_MS = 4_000
const MIN_CANCEL_TIMEOUT_MS = 400

/** An invoiced or shipped order is not cancelled here, even if accounting would allow it. */
export function isOrderCancellable({ status, invoiced, shipments }: Pick<Order, 'status' | 'invoiced' | 'shipments'>) {
  return (status === 'PENDING' || status === 'CONFIRMED') && !invoiced && shipments.length === 0
}

/**
 * Cancels an order; a cancelled one is returned as it is. Rejects with Problem and UpstreamError. If accounting may have started to cancel,
 * the cancellation is retried in the background, so that no order stays half cancelled.
 */
export async function cancelOrder(
  context: CustomerCommandContext,
  orderId: string,
  cancellation: { reason: string; note: string | null },
): Promise<Order> {
  const { backOffice, requestScope, customerId, commerce } = context
  const stored = await findStoredOrder(context, orderId)
  assertResolved(stored)
  const live = { requestScope, priority: 'checkout' as const }
  const order = await backOffice.accounting.orderNow(customerId, toAccountingOrderKey(orderId), live)
  if (!order) throw createNotFound('order')
  const ownRecord = stored ?? (order.reference ? await findStoredOrder(context, order.reference) : null)
  assertResolved(ownRecord)
  const recordCancelled = async (cancelled: Order) => {
    if (ownRecord) await markOrderCancelled(commerce, ownRecord, cancelled)
    return cancelled
  }
  if (order.status === 'CANCELLED') return recordCancelled(order)
  if (!isOrderCancellable(order)) throw notCancellable(order.status)
  const cancel = (live: LiveCallOptions) =>
    backOffice.accounting.cancelOrder(customerId, { order_id: order.order_id }, cancellation, live)
  try {
    const timeoutMs = Math.max(MIN_CANCEL_TIMEOUT_MS, Math.min(CANCEL_TIMEOUT_MS, requestScope.leftMs()))
    const result = await cancel({ ...live, timeoutMs })
    if (!result) throw createNotFound('order')
    if (result.state === 'refused') throw notCancellable(result.status)
    return await recordCancelled(result.order)
  } catch (error) {
    if (isCancellationUncertain(error)) {
      const key = `${tenantKey(context.tenant)}/${order.order_id}`
      void retryCancellation(key, { cancel, recordCancelled, now: commerce.now })
    }
    throw error
  }
}

/** Throws for an order that accounting has not decided on yet, or has rejected. */
function assertResolved(own: OrderRecord | null): void {
  if (own?.status === 'PENDING')
    throw new Problem('order_not_cancellable', 'This order is still being placed. Retry shortly.', {
      headers: { 'Retry-After': '1' },
      members: { current_status: 'PENDING' },
    })
  if (own?.status === 'REJECTED') throw notCancellable('REJECTED')
}

const notCancellable = (status: OrderStatus) =>
  new Problem('order_not_cancellable', undefined, { members: { current_status: status } })
