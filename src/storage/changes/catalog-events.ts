import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'

/** An event of the catalog, for those who keep copies of it. */
export interface CatalogEvent {
  event_id: string
  created_at: string
  tenant_id: string
  mode: Mode
  type: string
  /** The SKU. */
  resource_id: string
  /** JSON. */
  data: string
}

/** Where a reader of events stands: after that event, or at that instant. */
export interface CatalogEventCursor {
  created_at: string
  event_id: string
}

/** Those after that place in the order of time. */
export async function listCatalogEventsAfter(
  db: Database,
  after: CatalogEventCursor,
  most: number,
): Promise<CatalogEvent[]> {
  return db
    .selectFrom('events')
    .select(['event_id', 'created_at', 'tenant_id', 'mode', 'type', 'resource_id', 'data'])
    .where('created_at', '>=', after.created_at)
    .where((of) => of.or([of('created_at', '>', after.created_at), of('event_id', '>', after.event_id)]))
    .where('type', 'in', ['product.updated', 'product.deactivated', 'stock.changed'])
    .orderBy('created_at')
    .orderBy('event_id')
    .limit(most)
    .execute()
}
