import type { Decimal } from 'decimal.js'
import { ExactDecimal } from '../money.ts'
import type { OrderRefusal } from '../protocol/order-operations.ts'
import type { Order, PaymentSession } from '../protocol/order-schemas.ts'
import type { DocumentRow, DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'

/** A stored order, with its payment session. */
export type StoredOrder = Order & { payment: PaymentSession }

/** The result of the first placement under a reference. Every later placement returns it. */
export type PlacementRecord = { customer_id: string } & ({ order_id: string } | { refused: OrderRefusal })

export interface OrderStore {
  find(orderId: string): StoredOrder | undefined
  findPlacement(reference: string): PlacementRecord | undefined
  /** Oldest first. */
  listForCustomer(customerId: string): readonly StoredOrder[]
  all(): StoredOrder[]
  /** The total of this customer's orders on credit terms that are neither invoiced nor cancelled. */
  openTotal(customerId: string): Decimal
  nextNumber(): number
  /** Saves the order with a new change time, and `extraRows` in the same transaction. */
  save(order: StoredOrder, extraRows?: readonly DocumentRow[]): StoredOrder
  savePlacement(reference: string, placement: PlacementRecord, order?: StoredOrder): void
}

const FIRST_NUMBER = 200_001
const ZERO = new ExactDecimal(0)

/** The orders of one account: read from memory, written through to the store. */
export function openOrderStore(store: DocumentStore, now: () => Date): OrderStore {
  const orders = store.all<StoredOrder>('orders')
  const nextChangeTime = createMonotonicClock(now, orders.values())
  const placements = store.all<PlacementRecord>('answers')
  const byCustomer = new Map<string, { ids: string[]; open: Decimal }>()
  let nextNumber = FIRST_NUMBER

  function index(order: StoredOrder, previous: StoredOrder | undefined): void {
    const entry = byCustomer.get(order.customer_id) ?? { ids: [], open: ZERO }
    byCustomer.set(order.customer_id, entry)
    if (!previous) {
      entry.ids.push(order.order_id)
      nextNumber = Math.max(nextNumber, Number(order.order_number.replace(/\D/g, '')) + 1)
    }
    entry.open = entry.open.plus(openAmount(order)).minus(previous ? openAmount(previous) : 0)
  }

  const oldestFirst = [...orders.values()].sort((a, b) => a.placed_at.localeCompare(b.placed_at))
  for (const order of oldestFirst) index(order, undefined)

  const orderStore: OrderStore = {
    find: (orderId) => orders.get(orderId),
    findPlacement: (reference) => placements.get(reference),
    listForCustomer: (customerId) => byCustomer.get(customerId)?.ids.map((id) => orders.get(id)!) ?? [],
    all: () => [...orders.values()],
    openTotal: (customerId) => byCustomer.get(customerId)?.open ?? ZERO,
    nextNumber: () => nextNumber,
    save(changed, extraRows = []) {
      const order = { ...changed, updated_at: nextChangeTime() }
      store.putAll([['orders', order.order_id, order], ...extraRows])
      const previous = orders.get(order.order_id)
      orders.set(order.order_id, order)
      index(order, previous)
      return order
    },
    savePlacement(reference, placement, order) {
      const row: DocumentRow = ['answers', reference, placement]
      if (order) orderStore.save(order, [row])
      else store.putAll([row])
      placements.set(reference, placement)
    },
  }
  return orderStore
}

function openAmount(order: StoredOrder): Decimal {
  const isOpen = order.payment_method === 'CREDIT_TERMS' && !order.invoiced
  const isClosed = order.status === 'CANCELLED' || order.status === 'REJECTED'
  return isOpen && !isClosed ? new ExactDecimal(order.totals.total) : ZERO
}
