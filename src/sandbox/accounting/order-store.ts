import type { Decimal } from 'decimal.js'
import { ExactDecimal } from '../money.ts'
import type { OrderRefusal } from '../protocol/order-operations.ts'
import type { Order, Payment } from '../protocol/order-schemas.ts'
import type { DocumentRow, DocumentStore } from '../storage/document-store.ts'
import { createMonotonicClock } from '../storage/monotonic-clock.ts'

/** An order as it is kept, with its payment session. */
export type StoredOrder = Order & { payment: Payment }

/** The first answer to a reference, which is the only one for ever. */
export type PlacementRecord = { customer_id: string } & ({ order_id: string } | { refused: OrderRefusal })

export interface OrderStore {
  order(orderId: string): StoredOrder | undefined
  placement(reference: string): PlacementRecord | undefined
  /** Oldest first. */
  forCustomer(customerId: string): readonly StoredOrder[]
  all(): StoredOrder[]
  /** What this customer's orders on credit terms come to that are neither invoiced nor cancelled. */
  openTotal(customerId: string): Decimal
  nextNumber(): number
  /** Written through, with these rows and its new change time, before it returns. */
  save(order: StoredOrder, also?: readonly DocumentRow[]): StoredOrder
  savePlacement(reference: string, answer: PlacementRecord, order?: StoredOrder): void
}

const FIRST_NUMBER = 200_001
const NOTHING = new ExactDecimal(0)

/** The orders of one account: read from memory, written through to the store. */
export function openOrderStore(store: DocumentStore, now: () => Date): OrderStore {
  const orders = store.all<StoredOrder>('orders')
  const changed = createMonotonicClock(now, orders.values())
  const answers = store.all<PlacementRecord>('answers')
  const places = new Map<string, { ids: string[]; open: Decimal }>()
  let next = FIRST_NUMBER

  function file(order: StoredOrder, before: StoredOrder | undefined): void {
    const place = places.get(order.customer_id) ?? { ids: [], open: NOTHING }
    places.set(order.customer_id, place)
    if (!before) {
      place.ids.push(order.order_id)
      next = Math.max(next, Number(order.order_number.replace(/\D/g, '')) + 1)
    }
    place.open = place.open.plus(openPart(order)).minus(before ? openPart(before) : 0)
  }

  const inTime = [...orders.values()].sort((a, b) => a.placed_at.localeCompare(b.placed_at))
  for (const order of inTime) file(order, undefined)

  const book: OrderStore = {
    order: (orderId) => orders.get(orderId),
    placement: (reference) => answers.get(reference),
    forCustomer: (customerId) => places.get(customerId)?.ids.map((id) => orders.get(id)!) ?? [],
    all: () => [...orders.values()],
    openTotal: (customerId) => places.get(customerId)?.open ?? NOTHING,
    nextNumber: () => next,
    save(given, also = []) {
      const order = { ...given, updated_at: changed() }
      store.putAll([['orders', order.order_id, order], ...also])
      const before = orders.get(order.order_id)
      orders.set(order.order_id, order)
      file(order, before)
      return order
    },
    savePlacement(reference, answer, order) {
      const row: DocumentRow = ['answers', reference, answer]
      if (order) book.save(order, [row])
      else store.putAll([row])
      answers.set(reference, answer)
    },
  }
  return book
}

function openPart(order: StoredOrder): Decimal {
  const open = order.payment_method === 'CREDIT_TERMS' && !order.invoiced
  const dead = order.status === 'CANCELLED' || order.status === 'REJECTED'
  return open && !dead ? new ExactDecimal(order.totals.total) : NOTHING
}
