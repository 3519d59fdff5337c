import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { listDelayedOrders } from '../../../storage/commerce/operator-order-queries.ts'
import { listTriesOfOrders, type OrderTryRow } from '../../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toOrderPath } from '../../page-paths.ts'
import { formatDuration } from '../../text/format-durations.ts'
import { countFailedAttempts, describeLatestAttempt } from '../../text/order-attempt-text.ts'
import { describeOrderStatus } from '../../text/order-status-text.ts'
import { MAX_REQUEST_MS } from './refused-carts.ts'

/** Failures that show that accounting did not work. The others are about one order, or no call was made. */
const systemFailures: ReadonlySet<OrderTryRow['outcome']> = new Set([
  'timeout',
  'unavailable',
  'error',
  'invalid',
  'unauthorized',
])

/** An order that accounting did not confirm at once, and what became of it. */
export interface IncidentOrderLink {
  id: string
  href: string
  status: string
  /** When accounting failed an attempt last, and when one succeeded, in milliseconds since the epoch; `null`: never. */
  failedAt: number | null
  placedAt: number | null
}

const MAX_ORDERS = 500
export const MAX_ORDER_LINKS = 10

/** An order is stored before accounting is called, so before the first response that the incident counts. */
export const toOrderPeriod = ({ beganAt, lastAt }: Incident) => ({
  from: new Date(beganAt - MAX_REQUEST_MS).toISOString(),
  to: new Date(lastAt).toISOString(),
})

/** Reads the orders that accounting did not confirm at once during an incident of it, and the first of them as links. */
export async function readIncidentOrders(
  db: Database,
  incident: Incident,
  merchants: MerchantDirectory,
): Promise<{ orders: OrderRecord[]; maxOrders: number; orderLinks: IncidentOrderLink[] }> {
  const tenant = { merchant: incident.tenant, mode: incident.mode }
  const query = { ...toOrderPeriod(incident), limit: MAX_ORDERS }
  const orders = incident.system === 'accounting' ? await listDelayedOrders(db, tenant, query) : []
  return {
    orders,
    maxOrders: MAX_ORDERS,
    orderLinks: await readOrderLinks(db, orders.slice(0, MAX_ORDER_LINKS), merchants),
  }
}

export async function readOrderLinks(
  db: Database,
  orders: readonly OrderRecord[],
  merchants: MerchantDirectory,
): Promise<IncidentOrderLink[]> {
  const ids = orders.map(({ order_id }) => order_id)
  const triesOfOrders = await listTriesOfOrders(db, ids)
  return orders.map((order) => {
    const tries = triesOfOrders.get(order.order_id) ?? []
    const failedAt = tries.findLast(({ outcome }) => systemFailures.has(outcome))?.at
    const placedAt = tries.findLast(({ outcome }) => outcome === 'placed')?.at
    return {
      id: order.order_id,
      href: toOrderPath(order.order_id),
      status: describeDelay(order, tries, merchants),
      failedAt: failedAt === undefined ? null : Date.parse(failedAt),
      placedAt: placedAt === undefined ? null : Date.parse(placedAt),
    }
  })
}

function describeDelay(
  { status, placed, tenant_id, customer_id, created_at, updated_at }: OrderRecord,
  tries: readonly OrderTryRow[],
  merchants: MerchantDirectory,
): string {
  const customer = `of customer ${customer_id}`
  const last = tries.at(-1)
  if (status === 'PENDING')
    return `${customer}, still waiting for accounting${last ? `; the latest attempt ${describeLatestAttempt(last)}` : ''}`
  const success = tries.find(({ outcome }) => outcome === 'placed')
  const number = placed ? ` as ${placed.order_number}` : ''
  const describeTime = (at: string) =>
    `at ${merchants.time(at, tenant_id).text}, ${formatDuration(Math.max(0, Date.parse(at) - Date.parse(created_at)))} after the checkout`
  if (success)
    return `${customer}, placed once in accounting${number} ${describeTime(success.at)}, at attempt ${success.number + 1} (${countFailedAttempts(tries.filter(({ number }) => number < success.number))})`
  if (status === 'CONFIRMED' && placed)
    return `${customer}, placed once in accounting${number}, as accounting reported ${describeTime(updated_at)} (${countFailedAttempts(tries)})`
  return `${customer}, ${describeOrderStatus(status).toLowerCase()}${number}`
}
