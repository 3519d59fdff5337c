import { sql } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'

const CATALOG_EVENTS = ['product.updated', 'product.deactivated', 'stock.changed']
const MAX_HELD = 2_000

/** Returns the deliveries of new catalog events that become due between two times (RFC 3339), the first ones first. */
export async function listHeldDeliveries(
  db: Database,
  { merchant, mode }: Tenant,
  { from, to }: { from: string; to: string },
): Promise<{ delivery_id: string; due_at: string }[]> {
  return (
    db
      .selectFrom('deliveries')
      .select(['delivery_id', 'due_at'])
      // A literal, because SQLite does not use a partial index for a parameter.
      .where('status', '=', sql.lit('PENDING'))
      .where('due_at', '>', from)
      .where('due_at', '<=', to)
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('cause', '=', 'EVENT')
      .where('attempts', '=', 0)
      .where('lease', 'is', null)
      .where('event_type', 'in', CATALOG_EVENTS)
      .orderBy('due_at')
      .limit(MAX_HELD)
      .execute()
  )
}

/** Sets when deliveries become due, unless they have been leased. */
export async function setHeldDeliveriesDue(db: Database, ids: readonly string[], dueAt: string): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('deliveries')
    .set({ due_at: dueAt })
    .where('delivery_id', 'in', ids)
    .where('status', '=', sql.lit('PENDING'))
    .where('lease', 'is', null)
    .execute()
}
