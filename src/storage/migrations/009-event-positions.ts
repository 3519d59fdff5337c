import { type Kysely, sql } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Gives each event a position in its tenant's list, and each query of events, deliveries and diagnostics an index that it does not have to scan. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addEventPositions(db)
  const { schema } = db
  const index = (name: string, table: string, columns: string) =>
    schema.createIndex(name).on(table).columns(columns.split(' ')).execute()

  await index('events_listed', 'events', 'tenant_id mode created_at event_id')
  await schema.dropIndex('events_created').execute()

  await index('deliveries_of_event', 'deliveries', 'event_id subscription_id status')
  await schema.dropIndex('deliveries_event').execute()
  await index('deliveries_by_status', 'deliveries', 'subscription_id status created_at delivery_id')
  await index('deliveries_by_type', 'deliveries', 'subscription_id event_type status created_at delivery_id')

  await index('request_records_by_request', 'request_records', 'request_id at record_id')
  await schema.dropIndex('request_records_asked').execute()
  await index('incidents_by_merchant', 'incidents', 'tenant_id last_at incident_id')
  await index('incidents_by_mode', 'incidents', 'mode last_at incident_id')
  await index('key_days_by_day', 'key_days', 'day')
  await index('audit_log_by_operator', 'audit_log', 'operator at entry_id')
}

/** Existing events get their positions from the server, in small transactions: here, all writers of events would wait for it. */
async function addEventPositions(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await numbers(texts(schema.createTable('event_positions'), 'tenant_id mode'), 'position')
    .addPrimaryKeyConstraint('event_positions_key', ['tenant_id', 'mode'])
    .execute()
  await schema.alterTable('events').addColumn('position', 'integer').execute()
  // Both are partial: otherwise SQLite would search one of them for the rows of the other.
  await schema
    .createIndex('events_by_position')
    .unique()
    .on('events')
    .columns(['tenant_id', 'mode', 'position'])
    .where(sql.ref('position'), 'is not', null)
    .execute()
  await schema
    .createIndex('events_unnumbered')
    .on('events')
    .columns(['tenant_id', 'mode', 'created_at'])
    .where(sql.ref('position'), 'is', null)
    .execute()
}
