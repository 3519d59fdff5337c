import type { Address } from '../../ports/customer.ts'
import type { OrderDraft } from '../../ports/order.ts'
import type { Database } from '../database.ts'
import { type CustomerKey, customerColumns } from './customer-key.ts'
import type { OrderRecord } from './orders.ts'

/** Which orders count: the newest ones, in these statuses. */
export interface AddressedOrders {
  limit: number
  statuses: readonly OrderRecord['status'][]
}

/** Returns the shipping addresses of a customer's orders, the newest first, repeated as often as they were used. */
export async function listShippingAddresses(
  db: Database,
  customer: CustomerKey,
  { limit, statuses }: AddressedOrders,
): Promise<Address[]> {
  const { tenant_id, mode, customer_id } = customerColumns(customer)
  const rows = await db
    .selectFrom('orders')
    .select('draft')
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('customer_id', '=', customer_id)
    .where('status', 'in', statuses)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.flatMap(({ draft }) => (JSON.parse(draft) as OrderDraft).shipping_address ?? [])
}
