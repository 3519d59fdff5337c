import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { listDelayedOrders } from '../../../storage/commerce/operator-order-queries.ts'
import { listTriesOfOrders, type OrderTryRow } from '../../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../tenant.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toOrderPath } from '../../page-paths.ts'
import { describeOrderAttempt } from '../../text/order-attempt-text.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import type { FailureBesideIncidentView } from './failures-beside-incidents-view.ts'
import { toOrderPeriod } from './incident-orders.ts'

const MAX_ORDERS = 20

/** Reads the orders whose first call to accounting failed although no response was degraded: the change feed had confirmed them meanwhile. */
export async function readDelayedOrdersBesideIncidents(
  db: Database,
  tenant: Tenant,
  { period, incidents }: { period: { from: string; to: string }; incidents: readonly Incident[] },
  merchants: MerchantDirectory,
): Promise<FailureBesideIncidentView[]> {
  const known = incidents
    .filter((one) => one.tenant === tenant.merchant && one.mode === tenant.mode && one.section === 'checkout')
    .map(toOrderPeriod)
  const found = await listDelayedOrders(db, tenant, { ...period, limit: MAX_ORDERS })
  const orders = found.filter(({ created_at }) => !known.some(({ from, to }) => created_at >= from && created_at <= to))
  const tries = await listTriesOfOrders(
    db,
    orders.map(({ order_id }) => order_id),
  )
  return orders.flatMap((order) => {
    const failed = tries.get(order.order_id)?.find(({ outcome }) => outcome !== 'placed')
    return failed ? [toView(order, failed, merchants)] : []
  })
}

function toView(order: OrderRecord, failed: OrderTryRow, merchants: MerchantDirectory): FailureBesideIncidentView {
  const { order_id, tenant_id, mode, created_at, updated_at, status, placed } = order
  const name = placed ? `${placed.order_number} (${order_id})` : order_id
  const state =
    status === 'CONFIRMED'
      ? `placed once, confirmed at ${merchants.time(updated_at, tenant_id).text}`
      : describeOrderStatus(status).toLowerCase()
  return {
    at: merchants.time(created_at, tenant_id),
    text: `Order ${name} of ${merchants.name(tenant_id)} (${mode}): the call that places it failed (${describeOrderAttempt(failed)}); ${state}`,
    href: toOrderPath(order_id),
  }
}
