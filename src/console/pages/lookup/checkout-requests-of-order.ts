import { listRecordPage, type RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import type { Database } from '../../../storage/database.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toRequestPath } from '../../page-paths.ts'
import { describeFailedCall, listUnseenFailedCalls } from '../../text/failed-call-text.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { MAX_REQUEST_MS } from '../incidents/refused-carts.ts'

/** A recorded checkout of the cart of an order. */
export interface CheckoutRequestView {
  id: string
  href: string
  at: DisplayTime
  text: string
}

const MAX_REQUESTS = 10

/** Lists the recorded checkouts of the cart of an order, until it was confirmed, the latest first. */
export async function listCheckoutRequests(db: Database, order: OrderRecord): Promise<RequestRecord[]> {
  const { tenant_id, mode, customer_id, cart_id, created_at, updated_at } = order
  const to = new Date(Date.parse(updated_at) + MAX_REQUEST_MS).toISOString()
  const { records } = await listRecordPage(db, {
    scopes: [{ merchant: tenant_id, mode }],
    ...{ route: 'checkout', customerId: customer_id, during: { from: created_at, to }, limit: MAX_REQUESTS },
  })
  // An earlier release recorded no cart. The order was stored during its checkout.
  const startedBefore = ({ at, ms }: RequestRecord) => at - ms <= Date.parse(created_at)
  return records.filter((record) => (record.cartId === undefined ? startedBefore(record) : record.cartId === cart_id))
}

export function toCheckoutRequestView(record: RequestRecord, merchants: MerchantDirectory): CheckoutRequestView {
  const { requestId, at, tenant, status, ms } = record
  const failed = listUnseenFailedCalls(record).map(describeFailedCall)
  return {
    id: requestId,
    href: toRequestPath(requestId),
    at: merchants.time(at, tenant),
    text: [`status ${status} after ${formatElapsedMs(ms)}`, ...failed].join('; '),
  }
}
