import { readRequestRecords } from '../../../diagnostics/reports/request-records.ts'
import { listOrdersOfCarts } from '../../../storage/commerce/operator-order-queries.ts'
import type { Database } from '../../../storage/database.ts'
import { listIncidentsAt } from '../../../storage/diagnostics/incident-queries.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { type RequestRecordView, toRequestRecordView } from './request-page-view.ts'

/** Clients cannot send longer ids. */
const MAX_ID_LENGTH = 200

/** Returns a request id as it was sent. No id has spaces, but one that was dictated or copied from a narrow column may. */
export const normalizeRequestId = (typed: string): string => typed.replace(/\s+/g, '').slice(0, MAX_ID_LENGTH)

/** Reads what is known of a request, by its id in any letter case. Several requests can have one id: the latest comes first. */
export async function readRequestViewsWithId(
  { db, merchants }: { db: Database; merchants: MerchantDirectory },
  id: string,
): Promise<RequestRecordView[]> {
  const views: RequestRecordView[] = []
  for (const record of await readRequestRecords(db, id)) {
    const { tenant, mode, at, route, cartId } = record
    if (!merchants.shows(tenant)) continue
    const incidents = tenant === null ? [] : await listIncidentsAt(db, { merchant: tenant, mode }, at)
    const isCheckout = tenant !== null && route === 'checkout' && cartId !== undefined
    const orders = isCheckout ? await listOrdersOfCarts(db, { merchant: tenant, mode }, [cartId]) : []
    views.push(toRequestRecordView(record, incidents, merchants, orders))
  }
  // The call of the API says why it failed, and the server of the demo shop only that.
  return views.toSorted((one, other) => Number(one.isOfDemoShop) - Number(other.isOfDemoShop))
}
