import Type from 'typebox'
import { listOrders } from '../../commands/orders/list-orders.ts'
import { orderItem } from '../../contract/order-view.ts'
import { paginationOf } from '../../contract/common-schemas.ts'
import { OrderList, OrderStatus } from '../../contract/order.ts'
import type { OrderQuery } from '../../ports/order.ts'
import { fanOut, one, required } from '../../sections/section.ts'
import { placeOf } from '../to-command-context.ts'
import { route } from '../../http/route.ts'
import { reachable } from '../vehicles/vehicle-products.ts'

export const orders = route({
  method: 'GET',
  path: '/v1/orders',
  operationId: 'listOrders',
  summary: 'The orders of the customer, newest first',
  tag: 'Orders',
  scope: 'storefront:orders',
  input: {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
      status: Type.Optional(OrderStatus),
      placed_since: Type.Optional(Type.String({ format: 'date-time', description: 'Placed at that instant or later' })),
    }),
  },
  response: OrderList,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['data'], optional: [] },
  async answer(question) {
    const { query, asking } = question
    const since = query.placed_since && new Date(query.placed_since).toISOString()
    const asked = { ...reachable(query), ...(since && { placed_since: since }) } as OrderQuery
    const listed = listOrders(placeOf(question), asked)
    const { values, errors, traces } = await fanOut(asking, { data: required(listed.then(one)) })
    const { orders, total, has_more } = values.data ?? { orders: [], total: null, has_more: false }
    const data = orders.map(orderItem)
    return { body: { data, pagination: paginationOf(query, data.length, total, has_more), errors }, errors, traces }
  },
})
