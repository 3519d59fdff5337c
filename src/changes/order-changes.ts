import { isCheckoutReference, toShopperOrder } from '../contract/order-view.ts'
import type { Order } from '../ports/order.ts'
import { convertCart } from '../storage/commerce/carts.ts'
import { cancelStoredOrder, confirmStoredOrder, findOrder } from '../storage/commerce/orders.ts'
import type { Database } from '../storage/database.ts'
import {
  type ChangeReadContext,
  type ChangeSource,
  type FeedContext,
  isNewSinceBaseline,
  noStaleSkus,
} from './change-source.ts'
import { type OrderUpdate, publishOrderUpdates } from './publish-order-updates.ts'

/** Orders of the ledger's: those that were placed here, and others. */
export const createOrderSource = ({ backOffice, owner }: FeedContext): ChangeSource<Order> => ({
  ...{ name: 'orders', system: 'accounting', idOf: ({ order_id }) => order_id },
  read: (query, requestScope) => backOffice.changes.orders(query, requestScope),
  async take(transaction, orders, reading) {
    const announced: OrderUpdate[] = []
    // What is stored of an order is held before what was told of it: whoever settles one holds them in that order too.
    for (const order of orders.toSorted(byReference))
      announced.push(...(await announcementsOf(transaction, order, reading)))
    await publishOrderUpdates(transaction, owner, announced, reading.at)
    return noStaleSkus
  },
})

const byReference = (a: Order, b: Order) => (String(a.reference) < String(b.reference) ? -1 : 1)

/** None while its checkout waits for the ledger's word on it: that is asked for there. */
async function announcementsOf(
  transaction: Database,
  order: Order,
  reading: ChangeReadContext,
): Promise<OrderUpdate[]> {
  const shown = toShopperOrder(order)
  const before = await settle(transaction, order, reading)
  if (before === 'PENDING') return []
  if (before === 'placed') return [{ order: shown, through: ['CONFIRMED'] }]
  if (before === 'cancelled') return [{ order: shown, known: { status: 'CONFIRMED', shipments: 0 } }]
  const isNews: OrderUpdate['isNews'] = ({ at }) => isNewSinceBaseline(at, reading)
  return [{ order: shown, isNews, known: before && { status: before, shipments: 0 } }]
}

/** Brings the stored order to where the ledger has it, if it is not; else gives its state. `null`: it is not stored here. */
async function settle(transaction: Database, order: Order, { place, at }: ChangeReadContext) {
  const { reference, customer_id, status } = order
  const stored = isCheckoutReference(reference)
    ? await findOrder(transaction, { ...place.owner, customer_id }, reference)
    : null
  if (!stored) return null
  if (stored.status === 'PENDING') {
    if (status === 'PENDING' || status === 'REJECTED') return 'PENDING'
    if (!(await confirmStoredOrder(transaction, stored, order, at))) return 'PENDING'
    await convertCart(transaction, stored.cart_id, stored.order_id, at)
    if (status === 'CANCELLED') await cancelStoredOrder(transaction, stored, order, at)
    return 'placed'
  }
  const isCancelled = stored.status === 'CONFIRMED' && status === 'CANCELLED'
  if (isCancelled && (await cancelStoredOrder(transaction, stored, order, at))) return 'cancelled'
  return stored.status
}
