import type { Address } from '../../ports/customer.ts'
import type { OrderDraft } from '../../ports/order.ts'
import type { Database } from '../database.ts'
import { type CustomerKey, customerColumns } from './customer-columns.ts'

/** The newest orders whose addresses count. */
const MAX_ORDERS = 10

/** Returns the shipping addresses of a customer's confirmed orders, the newest first, repeated as often as they were used. */
export async function listShippingAddresses(db: Database, customer: CustomerKey): Promise<Address[]> {
  const { tenant_id, mode, customer_id } = customerColumns(customer)
  const rows = await db
    .selectFrom('orders')
    .select('draft')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .where('status', '=', 'CONFIRMED')
    .orderBy('created_at', 'desc')
    .limit(MAX_ORDERS)
    .execute()
  return rows.flatMap(({ draft }) => (JSON.parse(draft) as OrderDraft).shipping_address ?? [])
}
