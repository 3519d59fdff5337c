import { toShopperOrder } from '../../contract/orders/order-mapping.ts'
import { createNotFound, Problem } from '../../errors.ts'
import { findArchivedOrderId } from '../../storage/commerce/archive-orders.ts'
import { toCartKey } from '../carts/find-cart.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import type { CheckoutOutcome } from './checkout-outcome.ts'
import { toAccountingOrderKey } from './to-accounting-order-key.ts'

/** Returns the archived order that a cart became. Only accounting has its details, so the checkout fails if accounting does not respond. */
export async function readArchivedCheckout(context: CustomerCommandContext, cartId: string): Promise<CheckoutOutcome> {
  const { commerce, backOffice, customerId, requestScope } = context
  const order_id = await findArchivedOrderId(commerce.db, toCartKey(context, cartId))
  if (order_id === null) throw createNotFound('cart')
  const live = { requestScope, priority: 'checkout' as const }
  const order = await backOffice.accounting.orderNow(customerId, toAccountingOrderKey(order_id), live)
  if (order) return { state: 'archived', cartId, order: toShopperOrder({ ...order, reference: order_id }) }
  throw new Problem('cart_converted', 'This cart became an order; see order_id. Create a new cart.', {
    members: { order_id },
  })
}
