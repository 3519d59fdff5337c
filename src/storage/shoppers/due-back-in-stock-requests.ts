import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { BackInStockRequest } from './back-in-stock-requests.ts'

export interface DueBackInStockRequest extends BackInStockRequest {
  request_id: string
  customer_id: string
  /** JSON: the last known states of its stock and of its product. */
  stock: string
  product: string
}

/** A position in the order of a tenant's requests. No two have the same one, and the index of the slots has this order. */
export interface BackInStockPosition {
  customer_id: string
  slot: number
}

export interface BackInStockPage {
  due: DueBackInStockRequest[]
  /** The position after which the next page begins; `null`: this page was the last. */
  end: BackInStockPosition | null
}

/**
 * Reads up to `size` requests after a position, and returns those whose product the change feed has read in stock since they were made. A state
 * that was read earlier may be from before the product ran out. A request is dated before its own read of the stock, so the same
 * millisecond counts.
 */
export async function readBackInStockPage(
  db: Database,
  tenant: Tenant,
  { now, after, size }: { now: string; after: BackInStockPosition | null; size: number },
): Promise<BackInStockPage> {
  const last = await selectRequests(db, tenant, after)
    .select(['customer_id', 'slot'])
    .orderBy('customer_id')
    .orderBy('slot')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst()
  const end = last ?? null
  const rows = await selectDue(db, tenant, { now, after, end }).execute()
  return { due: rows.map(({ stock, product, ...row }) => ({ ...row, stock: stock!, product: product! })), end }
}

function selectRequests(db: Database, { merchant, mode }: Tenant, after: BackInStockPosition | null) {
  const rows = db
    .selectFrom('back_in_stock_requests as request')
    .where('request.tenant_id', '=', merchant)
    .where('request.mode', '=', mode)
  if (!after) return rows
  return rows.where((eb) =>
    eb(eb.refTuple('request.customer_id', 'request.slot'), '>', eb.tuple(after.customer_id, after.slot)),
  )
}

function selectDue(
  db: Database,
  tenant: Tenant,
  { now, after, end }: { now: string; after: BackInStockPosition | null; end: BackInStockPosition | null },
) {
  const due = selectRequests(db, tenant, after)
    .innerJoin('resources as stock', (join) =>
      join
        .onRef('stock.tenant_id', '=', 'request.tenant_id')
        .onRef('stock.mode', '=', 'request.mode')
        .on('stock.type', '=', 'stock')
        .onRef('stock.id', '=', 'request.sku'),
    )
    .innerJoin('resources as product', (join) =>
      join
        .onRef('product.tenant_id', '=', 'request.tenant_id')
        .onRef('product.mode', '=', 'request.mode')
        .on('product.type', '=', 'product')
        .onRef('product.id', '=', 'request.sku'),
    )
    .select(['request_id', 'customer_id', 'sku', 'request.created_at', 'request.expires_at'])
    .select(['stock.state as stock', 'product.state as product'])
    .where('request.expires_at', '>', now)
    .whereRef('stock.checked_at', '>=', 'request.created_at')
    // The states are JSON with these members first. Those of branches, which follow, do not count.
    .where((eb) => eb.or(['IN_STOCK', 'LOW'].map((band) => eb('stock.state', 'like', `{"band":"${band}"%`))))
    // One that was withdrawn may be offered again before the request expires.
    .where('product.state', 'like', '{"active":true%')
    .orderBy('request.customer_id')
    .orderBy('request.slot')
  if (!end) return due
  return due.where((eb) =>
    eb(eb.refTuple('request.customer_id', 'request.slot'), '<=', eb.tuple(end.customer_id, end.slot)),
  )
}
