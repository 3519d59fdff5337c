import { sql } from 'kysely'
import type { OrderDraft } from '../../ports/order.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

/** Confirmed orders that are not counted yet, and cancelled ones that still are. Literals, because SQLite does not use a partial index for parameters. */
const isUncounted = sql<boolean>`((status = 'CONFIRMED' and counted = 0) or (status = 'CANCELLED' and counted = 1))`

export interface UncountedOrder {
  order_id: string
  created_at: string
  /** Each SKU once. */
  skus: string[]
}

export async function listUncountedOrders(
  db: Database,
  { merchant, mode }: Tenant,
  limit: number,
): Promise<UncountedOrder[]> {
  const rows = await db
    .selectFrom('orders')
    .select(['order_id', 'created_at', 'draft'])
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where(isUncounted)
    .limit(limit)
    .execute()
  const toSkus = (draft: string) => [...new Set((JSON.parse(draft) as OrderDraft).lines.map(({ sku }) => sku))]
  return rows.map(({ draft, ...order }) => ({ ...order, skus: toSkus(draft) }))
}

/**
 * Marks orders as counted, or as no longer counted. Returns those that this transaction has marked, with 1 or -1. Another process may have
 * marked the others since they were listed.
 */
export async function markOrdersCounted(
  transaction: Database,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, 1 | -1>> {
  if (orderIds.length === 0) return new Map()
  const rows = await transaction
    .updateTable('orders')
    .set({ counted: sql<number>`1 - counted` })
    .where('order_id', 'in', orderIds)
    .where(isUncounted)
    .returning(['order_id', 'counted'])
    .execute()
  return new Map(rows.map(({ order_id, counted }) => [order_id, counted === 1 ? 1 : -1]))
}
