import type { Order, OrderStatus } from '../ports/order.ts'

/** How far an order was told of. */
export interface OrderProgress {
  status: OrderStatus
  /** Parcels. */
  shipments: number
}

/** A state that an order came into; `at`: when, where the ledger says. */
export interface OrderStep {
  status: OrderStatus
  at: string | null
}

type Standing = Pick<Order, 'status' | 'history' | 'shipments' | 'updated_at'>

const RANKS: Record<OrderStatus, number> = {
  ...{ PENDING: 0, CONFIRMED: 1, PARTIALLY_SHIPPED: 2, SHIPPED: 3, DELIVERED: 4 },
  ...{ REJECTED: Number.POSITIVE_INFINITY, CANCELLED: Number.POSITIVE_INFINITY },
}

const isEnd = (status: OrderStatus) => status === 'REJECTED' || status === 'CANCELLED'

/** Never backwards, whatever a clerk does: what was told cannot be taken back. `through` is passed whatever the ledger's history says. */
export function computeOrderSteps(
  known: OrderProgress | null,
  order: Standing,
  through: readonly OrderStatus[] = [],
): OrderStep[] {
  const { status, history, shipments, updated_at } = order
  // An end that was taken back, and what lies beyond where it is now, it did not come to.
  const passed = history.filter((entry) => !isEnd(entry.status) && RANKS[entry.status] <= RANKS[status])
  const last = history.findLast((entry) => entry.status === status)?.at ?? updated_at
  const steps: OrderStep[] = []
  let at: OrderStatus = known?.status ?? 'PENDING'
  for (const step of [...through.map((name) => ({ status: name, at: null })), ...passed, { status, at: last }]) {
    if (RANKS[step.status] <= RANKS[at]) continue
    steps.push(step)
    at = step.status
  }
  const more = known?.status === status && status === 'PARTIALLY_SHIPPED' && shipments.length > known.shipments
  return more ? [{ status, at: shipments.at(-1)!.shipped_at }] : steps
}

/** Where an order stands when all that there is was told. */
export function computeOrderProgress(
  known: OrderProgress | null,
  steps: readonly OrderStep[],
  order: Standing,
): OrderProgress {
  const status = steps.at(-1)?.status ?? known?.status ?? 'PENDING'
  return { status, shipments: Math.max(known?.shipments ?? 0, order.shipments.length) }
}
