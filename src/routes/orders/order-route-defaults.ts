import Type from 'typebox'
import { OrderDetail } from '../../contract/orders/order.ts'
import type { Route } from '../../http/route.ts'

export const OrderParams = Type.Object({ order_id: Type.String() })

/** The common settings of the routes of one order. */
export const orderRouteDefaults = {
  tag: 'Orders',
  scope: 'storefront:orders',
  response: OrderDetail,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['order'], optional: ['invoices', 'media'] },
} as const satisfies Partial<Route>
