import Type from 'typebox'
import { cancelOrder } from '../../commands/orders/cancel-order.ts'
import { findStoredOrder } from '../../commands/orders/find-stored-order.ts'
import { listOrders } from '../../commands/orders/list-orders.ts'
import { toAccountingOrderKey } from '../../commands/orders/to-accounting-order-key.ts'
import { OrderCancelIn, OrderList, OrderStatusSchema } from '../../contract/orders/order.ts'
import {
  recordToShopperOrder,
  type ShopperOrder,
  toOrderItem,
  toShopperOrder,
} from '../../contract/orders/order-mapping.ts'
import { toPagination } from '../../contract/pagination.ts'
import { RequestTime } from '../../contract/schema-parts.ts'
import { defineRoute } from '../../http/route.ts'
import type { OrderQuery } from '../../ports/order.ts'
import { fanOut } from '../../sections/fan-out.ts'
import { required, type Section, valueSection } from '../../sections/section.ts'
import { failRequiredSection } from '../fail-required-section.ts'
import { clampOffset } from '../page-query.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId } from '../valid-upstream-ids.ts'
import { buildOrderResponse } from './order-response.ts'
import { OrderParams, orderRouteDefaults } from './order-route-defaults.ts'

/** A cancellation takes the accounting system as long as a checkout. */
const CANCEL_DEADLINE_MS = 5_000

export const listOrdersRoute = defineRoute({
  method: 'GET',
  path: '/v1/orders',
  operationId: 'listOrders',
  summary: 'List the orders of the customer, newest first',
  tag: 'Orders',
  scope: 'storefront:orders',
  input: {
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
      offset: Type.Integer({ minimum: 0, default: 0 }),
      status: Type.Optional(OrderStatusSchema),
      placed_since: Type.Optional(RequestTime('Placed at or after this time')),
    }),
  },
  response: OrderList,
  needsShopper: true,
  caching: 'none',
  sections: { required: ['data'], optional: [] },
  async handle(request) {
    const { query, requestScope } = request
    const since = query.placed_since && new Date(query.placed_since).toISOString()
    const orderQuery = { ...clampOffset(query), ...(since && { placed_since: since }) } as OrderQuery
    const page = listOrders(toCustomerCommandContext(request), orderQuery)
    const { values, errors, traces } = await fanOut(requestScope, { data: required(page.then(valueSection)) })
    const { orders, total, has_more } = values.data ?? { orders: [], total: null, has_more: false }
    const data = orders.map(toOrderItem)
    return { body: { data, pagination: toPagination(query, data.length, total, has_more), errors }, errors, traces }
  },
})

export const getOrderRoute = defineRoute({
  ...orderRouteDefaults,
  method: 'GET',
  path: '/v1/orders/:order_id',
  operationId: 'getOrder',
  summary: 'Get an order',
  input: { params: OrderParams },
  async handle(request) {
    const { params, backOffice, customerId, requestScope } = request
    assertValidId(params.order_id, 'order')
    const stored = await findStoredOrder(toCustomerCommandContext(request), params.order_id)
    // The accounting system never accepted it, so there is nothing to read there.
    if (stored?.status === 'REJECTED') return buildOrderResponse(request, toSection(recordToShopperOrder(stored)), null)
    const live = valueSection(
      await backOffice.accounting.order(customerId!, toAccountingOrderKey(params.order_id), requestScope),
    )
    if (live.value)
      return buildOrderResponse(request, { ...live, value: toShopperOrder(live.value) }, live.value.order_id)
    if (!stored) return buildOrderResponse(request, { ...live, value: null }, null)
    const fallback: Section<ShopperOrder> = {
      ...toSection(recordToShopperOrder(stored)),
      error: live.error,
      stale: live.error !== null,
      asOf: Date.parse(stored.updated_at),
    }
    return buildOrderResponse(request, fallback, stored.placed?.order_id ?? null)
  },
})

export const cancelOrderRoute = defineRoute({
  ...orderRouteDefaults,
  method: 'POST',
  path: '/v1/orders/:order_id/cancel',
  operationId: 'cancelOrder',
  summary: 'Cancel an order that has no shipment and no invoice',
  input: { params: OrderParams, body: OrderCancelIn },
  idempotent: true,
  deadlineMs: CANCEL_DEADLINE_MS,
  problems: ['order_not_cancellable'],
  problemMembers: { current_status: OrderStatusSchema },
  async handle(request) {
    const { params, body } = request
    assertValidId(params.order_id, 'order')
    const reason = { reason: body.reason ?? 'CUSTOMER_REQUEST', note: body.note ?? null }
    const cancelling = cancelOrder(toCustomerCommandContext(request), params.order_id, reason)
    const order = await failRequiredSection('order', cancelling)
    return buildOrderResponse(request, toSection(toShopperOrder(order)), order.order_id)
  },
})

const toSection = (value: ShopperOrder): Section<ShopperOrder> => ({
  value,
  error: null,
  stale: false,
  partial: false,
  asOf: 0,
})
