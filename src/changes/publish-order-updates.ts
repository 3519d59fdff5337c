import { type ShopperOrder, toOrderItem, toOrderLines, toOrderShipments } from '../contract/order-view.ts'
import type { EventKind } from '../contract/webhook.ts'
import type { OrderStatus } from '../ports/order.ts'
import {
  lockResources,
  type NewResourceState,
  type ResourceOwner,
  storeResourceStates,
} from '../storage/changes/resource-states.ts'
import type { Database } from '../storage/database.ts'
import { appendEvent } from '../storage/webhooks/outbox.ts'
import { computeOrderProgress, computeOrderSteps, type OrderProgress, type OrderStep } from './order-progress.ts'

export interface OrderUpdate {
  /** By the id that shoppers know it by. */
  order: ShopperOrder
  /** Where it stands, where that was not noted yet. */
  known?: OrderProgress | null
  /** Passed whatever the ledger's history says. */
  through?: readonly OrderStatus[]
  rejectReason?: string | null
  /** Of an order of which nothing was noted yet: which steps are told. All, when it is not said; the others are noted alone. */
  isNews?: (step: OrderStep) => boolean
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
export async function publishOrderUpdate(transaction: Database, owner: ResourceOwner, one: OrderUpdate, at: string) {
  await publishOrderUpdates(transaction, owner, [one], at)
}

export async function publishOrderUpdates(
  transaction: Database,
  owner: ResourceOwner,
  all: readonly OrderUpdate[],
  at: string,
): Promise<void> {
  const ids = all.map(({ order }) => order.order_id)
  const resources = await lockResources<OrderProgress>(transaction, owner, 'order', ids, at)
  const states = new Map<string, NewResourceState>()
  for (const { order, through, rejectReason = null, isNews = () => true, ...one } of all) {
    const kept = resources.get(order.order_id)!.state
    const known = kept ?? one.known ?? null
    const steps = computeOrderSteps(known, order, through)
    const state = computeOrderProgress(known, steps, order)
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
  await storeResourceStates(transaction, owner, 'order', [...states.values()], at)
}

function orderData(order: ShopperOrder, step: OrderStatus, rejectReason: string | null): object {
  const isParcel = step === 'PARTIALLY_SHIPPED' || step === 'SHIPPED' || step === 'DELIVERED'
  return {
    ...{ ...toOrderItem(order), lines: toOrderLines(order), customer_id: order.customer_id },
    ...(isParcel && { shipments: toOrderShipments(order) }),
    ...(step === 'REJECTED' && { reject_reason: rejectReason }),
    ...(step === 'CANCELLED' && { cancel_reason: order.cancel_reason }),
  }
}
