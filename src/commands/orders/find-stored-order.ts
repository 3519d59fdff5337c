import { findOrder, type OrderRecord } from '../../storage/commerce/orders.ts'
import { type CustomerCommandContext, toCustomerKey } from '../command-context.ts'

/** Only such ids are queried: PostgreSQL fails on text that it cannot encode. */
const ORDER_ID = /^ord_[0-9A-Za-z]{22}$/

/** `null`: the order was not placed here, or belongs to another customer. */
export async function findStoredOrder(context: CustomerCommandContext, orderId: string): Promise<OrderRecord | null> {
  return ORDER_ID.test(orderId) ? findOrder(context.commerce.db, toCustomerKey(context), orderId) : null
}
