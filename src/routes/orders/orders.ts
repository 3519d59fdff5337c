import Type from 'typebox'
import { listOrders } from '../../commands/orders/list-orders.ts'
import { toPagination } from '../../contract/common-schemas.ts'
import { OrderList, OrderStatusSchema } from '../../contract/order.ts'
import { toOrderItem } from '../../contract/order-view.ts'
import { defineRoute } from '../../http/route.ts'
import type { OrderQuery } from '../../ports/order.ts'
import { fanOut, required, valueSection } from '../../sections/section.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { clampOffset } from '../vehicles/vehicle-products.ts'

export const listOrdersRoute = defineRoute({
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
      status: Type.Optional(OrderStatusSchema),
      placed_since: Type.Optional(Type.String({ format: 'date-time', description: 'Placed at that instant or later' })),
    }),
  },
  response: OrderList,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['data'], optional: [] },
  async answer(question) {
    const { query, requestScope } = question
    const since = query.placed_since && new Date(query.placed_since).toISOString()
    const asked = { ...clampOffset(query), ...(since && { placed_since: since }) } as OrderQuery
    const listed = listOrders(toCustomerCommandContext(question), asked)
    const { values, errors, traces } = await fanOut(requestScope, { data: required(listed.then(valueSection)) })
    const { orders, total, has_more } = values.data ?? { orders: [], total: null, has_more: false }
    const data = orders.map(toOrderItem)
    return { body: { data, pagination: toPagination(query, data.length, total, has_more), errors }, errors, traces }
  },
})
