import { toRequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { Database } from '../../../storage/database.ts'
import { searchRequestRecords } from '../../../storage/diagnostics/search-request-records.ts'
import type { Tenant } from '../../../tenant.ts'
import type { RefusedCheckoutsOfProduct } from '../../text/carts-with-product-text.ts'

const MAX_RECORDS = 200

/** Counts the recorded checkouts that were refused for a product. Returns `null` if there is none. */
export async function readRefusedCheckoutsOfProduct(
  db: Database,
  { merchant, mode }: Tenant,
  sku: string,
): Promise<RefusedCheckoutsOfProduct | null> {
  const search = { merchant, mode, kinds: ['refused'] as const, route: 'checkout', sku, limit: MAX_RECORDS }
  const rows = await searchRequestRecords(db, search)
  const refused = rows.map(toRequestRecord).filter(({ refusedSkus = [] }) => refusedSkus.includes(sku))
  if (refused.length === 0) return null
  return {
    count: refused.length,
    isLimited: rows.length === MAX_RECORDS,
    customers: new Set(refused.flatMap(({ customerId }) => customerId ?? [])).size,
    firstAt: refused.at(-1)!.at,
    lastAt: refused[0]!.at,
  }
}
