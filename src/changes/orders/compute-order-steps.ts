import type { Order, OrderStatus } from '../../ports/order.ts'

/** The progress of an order that events have reported. */
export interface OrderProgress {
  status: OrderStatus
  /** The number of shipments. */
  shipments: number
}

/** A status that an order reached; `at`: the time, if accounting gives it. */
export interface OrderStep {
  status: OrderStatus
  at: string | null
}

type OrderState = Pick<Order, 'status' | 'history' | 'shipments' | 'updated_at'>

const RANKS: Record<OrderStatus, number> = {
  PENDING: 0,
  CONFIRMED: 1,
  PARTIALLY_SHIPPED: 2,
  SHIPPED: 3,
  DELIVERED: 4,
  REJECTED: Number.POSITIVE_INFINITY,
  CANCELLED: Number.POSITIVE_INFINITY,
}

const isFinal = (status: OrderStatus) => status === 'REJECTED' || status === 'CANCELLED'

/** Returns the statuses that an order has newly reached. It never goes back, since events cannot be revoked. `passedThrough` is included whatever accounting's history says. */
export function computeOrderSteps(
  known: OrderProgress | null,
  order: OrderState,
  passedThrough: readonly OrderStatus[] = [],
): OrderStep[] {
  const { status, history, shipments, updated_at } = order
  // Leaves out a final status that was revoked, and statuses beyond the current one.
  const passed = history.filter((entry) => !isFinal(entry.status) && RANKS[entry.status] <= RANKS[status])
  const last = history.findLast((entry) => entry.status === status)?.at ?? updated_at
  const steps: OrderStep[] = []
  let reached: OrderStatus = known?.status ?? 'PENDING'
  for (const step of [...passedThrough.map((name) => ({ status: name, at: null })), ...passed, { status, at: last }]) {
    if (RANKS[step.status] <= RANKS[reached]) continue
    steps.push(step)
    reached = step.status
  }
  const hasNewShipment =
    known?.status === status && status === 'PARTIALLY_SHIPPED' && shipments.length > known.shipments
  return hasNewShipment ? [{ status, at: shipments.at(-1)!.shipped_at }] : steps
}

/** Returns an order's progress after these steps are reported. */
export function computeOrderProgress(
  known: OrderProgress | null,
  steps: readonly OrderStep[],
  order: OrderState,
): OrderProgress {
  const status = steps.at(-1)?.status ?? known?.status ?? 'PENDING'
  return { status, shipments: Math.max(known?.shipments ?? 0, order.shipments.length) }
}
