import type { EventKind } from '../contract/webhook.ts'
import type { OrderStatus } from '../ports/order.ts'
import type { Database } from '../storage/database.ts'
import { appendEvent } from '../storage/webhooks/outbox.ts'
import { holdResources, keepStates, type NewState, type ResourceOwner } from '../storage/changes/resource-states.ts'
import { type OrderState, type Step, stateAfter, stepsOf } from './order-progress.ts'
import { orderItem, orderLines, orderShipments, type ShownOrder } from '../contract/order-view.ts'

export interface Announcement {
  /** By the id that shoppers know it by. */
  order: ShownOrder
  /** Where it stands, where that was not noted yet. */
  known?: OrderState | null
  /** Passed whatever the ledger's history says. */
  through?: readonly OrderStatus[]
  rejectReason?: string | null
  /** Of an order of which nothing was noted yet: which steps are told. All, when it is not said; the others are noted alone. */
  isNews?: (step: Step) => boolean
}

const kinds: Partial<Record<OrderStatus, EventKind>> = {
  CONFIRMED: 'order.confirmed',
  PARTIALLY_SHIPPED: 'order.partially_shipped',
  SHIPPED: 'order.shipped',
  DELIVERED: 'order.delivered',
  CANCELLED: 'order.cancelled',
  REJECTED: 'order.rejected',
}

/** Tells of each state that an order came into since it was last told of, once, whoever finds it first. */
export async function announceOrder(transaction: Database, owner: ResourceOwner, one: Announcement, at: string) {
  await announceOrders(transaction, owner, [one], at)
}

export async function announceOrders(
  transaction: Database,
  owner: ResourceOwner,
  all: readonly Announcement[],
  at: string,
): Promise<void> {
  const ids = all.map(({ order }) => order.order_id)
  const resources = await holdResources<OrderState>(transaction, owner, 'order', ids, at)
  const states = new Map<string, NewState>()
  for (const { order, through, rejectReason = null, isNews = () => true, ...one } of all) {
    const kept = resources.get(order.order_id)!.state
    const known = kept ?? one.known ?? null
    const steps = stepsOf(known, order, through)
    const state = stateAfter(known, steps, order)
    if (kept?.status === state.status && kept.shipments === state.shipments) continue
    for (const step of steps) {
      const type = kinds[step.status]
      if (!type || (kept === null && !isNews(step))) continue
      const data = orderData(order, step.status, rejectReason)
      await appendEvent(transaction, { ...owner, type, resource: { type: 'order', id: order.order_id }, data, at })
    }
    states.set(order.order_id, { id: order.order_id, state })
    // Two orders of a ledger's may claim one name.
    resources.set(order.order_id, { state, checkedAt: at })
  }
  await keepStates(transaction, owner, 'order', [...states.values()], at)
}

function orderData(order: ShownOrder, step: OrderStatus, rejectReason: string | null): object {
  const isParcel = step === 'PARTIALLY_SHIPPED' || step === 'SHIPPED' || step === 'DELIVERED'
  return {
    ...{ ...orderItem(order), lines: orderLines(order), customer_id: order.customer_id },
    ...(isParcel && { shipments: orderShipments(order) }),
    ...(step === 'REJECTED' && { reject_reason: rejectReason }),
    ...(step === 'CANCELLED' && { cancel_reason: order.cancel_reason }),
  }
}
