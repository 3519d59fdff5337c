import { listCustomerOrders } from '../../../storage/commerce/operator-customer-queries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import { tenantOf } from '../../../storage/tenant-columns.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toOrderPath } from '../../page-paths.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'

export interface OtherOrder {
  id: string
  href: string
  at: DisplayTime
  status: string
}

const HOUR_MS = 3_600_000
const MAX_ORDERS = 200

/** Lists the customer's other orders within an hour of an order, newest first: what looks like a duplicate order may be another cart. */
export async function listOtherOrdersOfCustomer(
  db: Database,
  order: OrderRecord,
  merchants: MerchantDirectory,
): Promise<OtherOrder[]> {
  const customer = { ...tenantOf(order), customer_id: order.customer_id }
  const orderedAt = Date.parse(order.created_at)
  return (await listCustomerOrders(db, customer, MAX_ORDERS))
    .filter(
      ({ order_id, created_at }) =>
        order_id !== order.order_id && Math.abs(Date.parse(created_at) - orderedAt) <= HOUR_MS,
    )
    .map(({ order_id, order_number, status, created_at }) => ({
      id: order_number ?? order_id,
      href: toOrderPath(order_id),
      at: merchants.time(created_at, order.tenant_id),
      status: describeOrderStatus(status).toLowerCase(),
    }))
}
