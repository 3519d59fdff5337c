import type { Database } from '../database.ts'
import type { TenantColumns } from '../tenant-columns.ts'

/** A catalog event, for processes that invalidate their caches. */
export interface CatalogEvent extends TenantColumns {
  event_id: string
  created_at: string
  type: string
  /** The SKU. */
  resource_id: string
  /** JSON. */
  data: string
}

/** A position in the order of events: after the event of that id, or at that instant. */
export interface CatalogEventCursor {
  created_at: string
  event_id: string
}

/** Returns catalog events after a position, the oldest first. */
export async function listCatalogEventsAfter(
  db: Database,
  after: CatalogEventCursor,
  limit: number,
): Promise<CatalogEvent[]> {
  return db
    .selectFrom('events')
    .select(['event_id', 'created_at', 'tenant_id', 'mode', 'type', 'resource_id', 'data'])
    .where('created_at', '>=', after.created_at)
    .where((eb) => eb.or([eb('created_at', '>', after.created_at), eb('event_id', '>', after.event_id)]))
    .where('type', 'in', ['product.updated', 'product.deactivated', 'stock.changed'])
    .orderBy('created_at')
    .orderBy('event_id')
    .limit(limit)
    .execute()
}
