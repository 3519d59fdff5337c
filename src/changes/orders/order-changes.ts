import { isForecourtOrderReference } from '../../contract/orders/is-forecourt-order-reference.ts'
import { toShopperOrder } from '../../contract/orders/order-mapping.ts'
import type { Order } from '../../ports/order.ts'
import { convertCart } from '../../storage/commerce/carts.ts'
import { cancelStoredOrder, findOrder } from '../../storage/commerce/orders.ts'
import { confirmStoredOrder } from '../../storage/commerce/pending-orders.ts'
import type { Database } from '../../storage/database.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import type { ChangeReadContext, ChangeSource } from '../feed/change-source.ts'
import { noSkusToInvalidate } from '../feed/invalidate-skus.ts'
import { isNewSinceBaseline } from '../feed/is-outdated-change.ts'
import { type OrderUpdate, publishOrderUpdates } from './publish-order-updates.ts'

/** The orders of accounting: those that were placed here, and others. */
export const createOrderSource = ({ backOffice, tenant }: ChangeJobContext): ChangeSource<Order> => ({
  name: 'orders',
  system: 'accounting',
  idOf: ({ order_id }) => order_id,
  read: (query, requestScope) => backOffice.changes.orders(query, requestScope),
  async apply(transaction, orders, reading) {
    const updates: OrderUpdate[] = []
    // Locks stored orders before their event states, the same order as in order-transitions.ts.
    for (const order of orders.toSorted(byReference))
      updates.push(...(await toOrderUpdates(transaction, order, reading)))
    await publishOrderUpdates(transaction, tenant, updates, reading.at)
    return noSkusToInvalidate
  },
})

const byReference = (a: Order, b: Order) => (String(a.reference) < String(b.reference) ? -1 : 1)

/** Returns nothing while the order's checkout is unresolved: it is resolved there. */
async function toOrderUpdates(transaction: Database, order: Order, reading: ChangeReadContext): Promise<OrderUpdate[]> {
  const shopperOrder = toShopperOrder(order)
  const before = await syncStoredOrder(transaction, order, reading)
  if (before === 'PENDING') return []
  if (before === 'placed') return [{ order: shopperOrder, passedThrough: ['CONFIRMED'] }]
  if (before === 'cancelled') return [{ order: shopperOrder, previous: { status: 'CONFIRMED', shipments: 0 } }]
  const isNew: OrderUpdate['isNew'] = ({ at }) => isNewSinceBaseline(at, reading)
  return [{ order: shopperOrder, isNew, previous: before && { status: before, shipments: 0 } }]
}

/** Updates the stored order to accounting's state. Returns the transition, else the stored status. `null`: the order is not stored here. */
async function syncStoredOrder(transaction: Database, order: Order, { context, at }: ChangeReadContext) {
  const { reference, customer_id, status } = order
  const stored = isForecourtOrderReference(reference)
    ? await findOrder(transaction, { ...context.tenant, customer_id }, reference)
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
