import { findStoredOrder, toOrderKey } from '../../commands/orders/cancel-order.ts'
import { recordToShopperOrder, type ShopperOrder, toShopperOrder } from '../../contract/order-view.ts'
import { defineRoute } from '../../http/route.ts'
import { type Section, valueSection } from '../../sections/section.ts'
import { toCustomerCommandContext } from '../to-command-context.ts'
import { assertValidId, buildOrderResponse, OrderParams, orderRouteDefaults } from './order-response.ts'

export const getOrderRoute = defineRoute({
  ...orderRouteDefaults,
  method: 'GET',
  path: '/v1/orders/:order_id',
  operationId: 'getOrder',
  summary: 'One order, whole',
  input: { params: OrderParams },
  async answer(question) {
    const { params, backOffice, customerId, requestScope } = question
    assertValidId(params.order_id)
    const stored = await findStoredOrder(toCustomerCommandContext(question), params.order_id)
    // The ledger never took it: there is nobody to ask.
    if (stored?.status === 'REJECTED') return buildOrderResponse(question, here(recordToShopperOrder(stored)), null)
    const asked = valueSection(
      await backOffice.accounting.order(customerId!, toOrderKey(params.order_id), requestScope),
    )
    if (asked.value)
      return buildOrderResponse(question, { ...asked, value: toShopperOrder(asked.value) }, asked.value.order_id)
    if (!stored) return buildOrderResponse(question, { ...asked, value: null }, null)
    const standIn = { ...here(recordToShopperOrder(stored)), error: asked.error, stale: asked.error !== null }
    const known = { ...standIn, asOf: Date.parse(stored.updated_at) }
    return buildOrderResponse(question, known, stored.placed?.order_id ?? null)
  },
})

const here = (value: ShopperOrder): Section<ShopperOrder> => ({
  value,
  error: null,
  stale: false,
  partial: false,
  asOf: 0,
})
