import type { EventKind } from '../../contract/events/event-types.ts'
import { type ShopperOrder, toOrderItem, toOrderLines, toOrderShipments } from '../../contract/orders/order-mapping.ts'
import type { OrderStatus } from '../../ports/order.ts'
import { lockResources, type NewResourceState, storeResourceStates } from '../../storage/changes/resource-states.ts'
import type { Database } from '../../storage/database.ts'
import { appendEvent } from '../../storage/webhooks/outbox.ts'
import type { Tenant } from '../../tenant.ts'
import { computeOrderProgress, computeOrderSteps, type OrderProgress, type OrderStep } from './compute-order-steps.ts'

export interface OrderUpdate {
  /** The order with the id that shoppers know. */
  order: ShopperOrder
  /** The order's progress, used if none is stored. */
  previous?: OrderProgress | null
  /** Statuses that the order has reached, whatever accounting's history says. */
  passedThrough?: readonly OrderStatus[]
  rejectReason?: string | null
  /** Selects the steps that cause events, if no progress is stored. Defaults to all; the others are only stored. */
  isNew?: (step: OrderStep) => boolean
}

const kinds: Partial<Record<OrderStatus, EventKind>> = {
  CONFIRMED: 'order.confirmed',
  PARTIALLY_SHIPPED: 'order.partially_shipped',
  SHIPPED: 'order.shipped',
  DELIVERED: 'order.delivered',
  CANCELLED: 'order.cancelled',
  REJECTED: 'order.rejected',
}

/** Appends one event for each status that an order has newly reached, whichever process finds it first. */
export async function publishOrderUpdate(transaction: Database, tenant: Tenant, update: OrderUpdate, at: string) {
  await publishOrderUpdates(transaction, tenant, [update], at)
}

export async function publishOrderUpdates(
  transaction: Database,
  tenant: Tenant,
  updates: readonly OrderUpdate[],
  at: string,
): Promise<void> {
  const ids = updates.map(({ order }) => order.order_id)
  const resources = await lockResources<OrderProgress>(transaction, tenant, 'order', ids, at)
  const states = new Map<string, NewResourceState>()
  for (const { order, passedThrough, rejectReason = null, isNew = () => true, previous = null } of updates) {
    const stored = resources.get(order.order_id)!.state
    const known = stored ?? previous
    const steps = computeOrderSteps(known, order, passedThrough)
    const state = computeOrderProgress(known, steps, order)
    if (stored?.status === state.status && stored.shipments === state.shipments) continue
    for (const step of steps) {
      const type = kinds[step.status]
      if (!type || (stored === null && !isNew(step))) continue
      const data = createEventData(toOrderAt(step, order), rejectReason)
      await appendEvent(transaction, { ...tenant, type, resource: { type: 'order', id: order.order_id }, data, at })
    }
    states.set(order.order_id, { id: order.order_id, state })
    // Two orders in accounting may have the same reference.
    resources.set(order.order_id, { state, checkedAt: at })
  }
  await storeResourceStates(transaction, tenant, 'order', [...states.values()], at)
}

/** Returns the order with a status that it reached, although it may have a later one now: an event describes the state at its time. */
function toOrderAt({ status, at }: OrderStep, order: ShopperOrder): ShopperOrder {
  if (status === order.status) return order
  const reachedAt = at ?? order.history.find((entry) => entry.status === status)?.at
  return { ...order, status, updated_at: reachedAt ?? order.updated_at }
}

function createEventData(order: ShopperOrder, rejectReason: string | null): object {
  const { status } = order
  const hasShipments = status === 'PARTIALLY_SHIPPED' || status === 'SHIPPED' || status === 'DELIVERED'
  return {
    ...toOrderItem(order),
    lines: toOrderLines(order),
    customer_id: order.customer_id,
    ...(hasShipments && { shipments: toOrderShipments(order) }),
    ...(status === 'REJECTED' && { reject_reason: rejectReason }),
    ...(status === 'CANCELLED' && { cancel_reason: order.cancel_reason }),
  }
}
