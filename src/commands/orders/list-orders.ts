import { recordToShopperOrder, type ShopperOrder, toShopperOrder } from '../../contract/orders/order-mapping.ts'
import type { OrderPage, OrderQuery } from '../../ports/order.ts'
import { listAcknowledgedOrders, type OrderRecord } from '../../storage/commerce/orders.ts'
import type { LoadResult } from '../../upstream/read-stack/cached-loader.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'

export interface OrderListPage {
  orders: ShopperOrder[]
  total: number | null
  has_more: boolean
}

/** The newest orders that accounting does not list. Older ones can still be read by their id. */
const MAX_UNLISTED = 50
const unlistedStatuses = ['PENDING', 'REJECTED'] as const

/**
 * Lists a page of accounting's orders, merged with the orders that it has not placed yet or has refused;
 * newest first. Each of them can be read later by its id.
 */
export async function listOrders(
  context: CustomerCommandContext,
  query: OrderQuery,
): Promise<LoadResult<OrderListPage>> {
  const { backOffice, requestScope, customerId, commerce } = context
  const { limit, offset, status, placed_since } = query
  const statuses = unlistedStatuses.filter((unlisted) => status === undefined || status === unlisted)
  const stored = await listAcknowledgedOrders(commerce.db, toCustomerKey(context), {
    statuses,
    since: placed_since,
    limit: MAX_UNLISTED,
  })
  const from = Math.max(0, offset - stored.length)
  const window = { ...query, offset: from, limit: offset + limit + stored.length - from }
  const { value, error, asOf } = await backOffice.accounting.orders(customerId, window, requestScope)
  return { value: value && mergePage(value, stored, offset - from, limit), error, asOf }
}

/** Stored orders can only push accounting's own rows back, so the window begins `skip` rows early. */
function mergePage(page: OrderPage, stored: readonly OrderRecord[], skip: number, limit: number): OrderListPage {
  const listedIds = new Set(page.orders.map(({ reference }) => reference))
  const missing = stored.filter(({ order_id }) => !listedIds.has(order_id)).map(recordToShopperOrder)
  const placedAtMs = ({ placed_at }: ShopperOrder) => Date.parse(placed_at)
  const orders = [...missing, ...page.orders.map(toShopperOrder)].sort((a, b) => placedAtMs(b) - placedAtMs(a))
  return {
    orders: orders.slice(skip, skip + limit),
    total: page.total === null ? null : page.total + missing.length,
    has_more: page.has_more || orders.length > skip + limit,
  }
}
