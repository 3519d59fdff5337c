import type { Kysely } from 'kysely'
import { buildIndex, removeIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

/** SQLite chooses the partial index of events whose condition matches the query. */
const indexes: readonly (readonly [name: string, definition: string])[] = [
  ['events_by_position', 'unique events (tenant_id, mode, position) where position is not null'],
  ['events_unnumbered', 'events (tenant_id, mode, created_at) where position is null'],
  ['events_listed', 'events (tenant_id, mode, created_at, event_id)'],
  ['deliveries_of_event', 'deliveries (event_id, subscription_id, status)'],
  ['deliveries_by_status', 'deliveries (subscription_id, status, created_at, delivery_id)'],
  ['deliveries_by_type', 'deliveries (subscription_id, event_type, status, created_at, delivery_id)'],
  ['request_records_by_request', 'request_records (request_id, at, record_id)'],
  ['incidents_by_merchant', 'incidents (tenant_id, last_at, incident_id)'],
  ['incidents_by_mode', 'incidents (mode, last_at, incident_id)'],
  ['key_days_by_day', 'key_days (day)'],
  ['audit_log_by_operator', 'audit_log (operator, at, entry_id)'],
  ['idempotency_keys_held', "idempotency_keys (locked_until) where state != 'done'"],
  ['orders_settled', "orders (updated_at) where status in ('CONFIRMED', 'CANCELLED')"],
]

const replacedIndexes = ['events_created', 'deliveries_event', 'request_records_asked']

/** Gives each query of events, deliveries, orders and diagnostics an index, so that it does not scan a table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of indexes) await buildIndex(db, name, definition)
  for (const name of replacedIndexes) await removeIndex(db, name)
}
