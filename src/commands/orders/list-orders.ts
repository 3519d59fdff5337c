import { recordToShopperOrder, type ShopperOrder, toShopperOrder } from '../../contract/order-view.ts'
import type { OrderPage, OrderQuery } from '../../ports/order.ts'
import { listStoredOrders, type OrderRecord } from '../../storage/commerce/orders.ts'
import type { LoadResult } from '../../upstream/cached-loader.ts'
import type { CustomerCommandContext } from '../command-context.ts'
import { toOrderOwner } from './check-out.ts'

export interface OrderListPage {
  orders: ShopperOrder[]
  total: number | null
  has_more: boolean
}

/** Of the orders that the ledger does not list, the newest; older ones can still be read by their id. */
const MOST_UNLISTED = 50
const unlisted = ['PENDING', 'REJECTED'] as const

/** A page of the ledger's orders, with those that it has not taken yet, or refused, in their places among them; newest first. */
export async function listOrders(place: CustomerCommandContext, query: OrderQuery): Promise<LoadResult<OrderListPage>> {
  const { backOffice, requestScope, customerId, commerce } = place
  const { limit, offset, status, placed_since } = query
  const statuses = unlisted.filter((known) => status === undefined || status === known)
  const here = await listStoredOrders(commerce.db, toOrderOwner(place), {
    statuses,
    since: placed_since,
    most: MOST_UNLISTED,
  })
  const from = Math.max(0, offset - here.length)
  const window = { ...query, offset: from, limit: offset + limit + here.length - from }
  const { value, error, asOf } = await backOffice.accounting.orders(customerId, window, requestScope)
  return { value: value && merged(value, here, offset - from, limit), error, asOf }
}

/** `skip` rows before the page: what stands before the ledger's own rows can only be fewer than that. */
function merged(page: OrderPage, here: readonly OrderRecord[], skip: number, limit: number): OrderListPage {
  const taken = new Set(page.orders.map(({ reference }) => reference))
  const missing = here.filter(({ order_id }) => !taken.has(order_id)).map(recordToShopperOrder)
  const at = ({ placed_at }: ShopperOrder) => Date.parse(placed_at)
  const all = [...missing, ...page.orders.map(toShopperOrder)].sort((a, b) => at(b) - at(a))
  return {
    orders: all.slice(skip, skip + limit),
    total: page.total === null ? null : page.total + missing.length,
    has_more: page.has_more || all.length > skip + limit,
  }
}
