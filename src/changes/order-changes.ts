import { type FeedPlace, isNew, nothingTaken, type Reading, type Source } from './change-source.ts'
import type { Order } from '../ports/order.ts'
import { convertCart } from '../storage/commerce/carts.ts'
import type { Database } from '../storage/database.ts'
import { cancelStoredOrder, confirmOrder, findOrder } from '../storage/commerce/orders.ts'
import { type Announcement, announceOrders } from './publish-order-updates.ts'
import { isOurs, ofLedger } from '../contract/order-view.ts'

/** Orders of the ledger's: those that were placed here, and others. */
export const orderSource = ({ office, owner }: FeedPlace): Source<Order> => ({
  ...{ name: 'orders', system: 'accounting', idOf: ({ order_id }) => order_id },
  read: (query, asking) => office.changes.orders(query, asking),
  async take(transaction, orders, reading) {
    const announced: Announcement[] = []
    // What is stored of an order is held before what was told of it: whoever settles one holds them in that order too.
    for (const order of orders.toSorted(byReference))
      announced.push(...(await announcementsOf(transaction, order, reading)))
    await announceOrders(transaction, owner, announced, reading.at)
    return nothingTaken
  },
})

const byReference = (a: Order, b: Order) => (String(a.reference) < String(b.reference) ? -1 : 1)

/** None while its checkout waits for the ledger's word on it: that is asked for there. */
async function announcementsOf(transaction: Database, order: Order, reading: Reading): Promise<Announcement[]> {
  const shown = ofLedger(order)
  const before = await settle(transaction, order, reading)
  if (before === 'PENDING') return []
  if (before === 'placed') return [{ order: shown, through: ['CONFIRMED'] }]
  if (before === 'cancelled') return [{ order: shown, known: { status: 'CONFIRMED', shipments: 0 } }]
  const isNews: Announcement['isNews'] = ({ at }) => isNew(at, reading)
  return [{ order: shown, isNews, known: before && { status: before, shipments: 0 } }]
}

/** Brings the stored order to where the ledger has it, if it is not; else gives its state. `null`: it is not stored here. */
async function settle(transaction: Database, order: Order, { place, at }: Reading) {
  const { reference, customer_id, status } = order
  const stored = isOurs(reference) ? await findOrder(transaction, { ...place.owner, customer_id }, reference) : null
  if (!stored) return null
  if (stored.status === 'PENDING') {
    if (status === 'PENDING' || status === 'REJECTED') return 'PENDING'
    if (!(await confirmOrder(transaction, stored, order, at))) return 'PENDING'
    await convertCart(transaction, stored.cart_id, stored.order_id, at)
    if (status === 'CANCELLED') await cancelStoredOrder(transaction, stored, order, at)
    return 'placed'
  }
  const isCancelled = stored.status === 'CONFIRMED' && status === 'CANCELLED'
  if (isCancelled && (await cancelStoredOrder(transaction, stored, order, at))) return 'cancelled'
  return stored.status
}
