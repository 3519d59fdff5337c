import { type Kysely, sql } from 'kysely'
import { texts } from './columns.ts'

const pending = [sql.ref('status'), '=', sql.lit('PENDING')] as const

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await texts(
    schema.createTable('key_use').addColumn('key_id', 'text', (of) => of.primaryKey()),
    'ends_at',
  )
    .addColumn('count', 'integer', (of) => of.notNull())
    .execute()
  await texts(
    schema.createTable('seals').addColumn('name', 'text', (of) => of.primaryKey()),
    'key_id',
  ).execute()
  await schema.createIndex('carts_expiry').on('carts').columns(['state', 'expires_at']).execute()
  await schema.createIndex('events_in_time').on('events').columns(['created_at', 'event_id']).execute()

  await texts(schema.createTable('resources'), 'tenant_id mode type id state? due_on? checked_at')
    .addColumn('sequence', 'integer', (of) => of.notNull())
    .addPrimaryKeyConstraint('resources_key', ['tenant_id', 'mode', 'type', 'id'])
    .execute()
  await schema
    .createIndex('resources_checked')
    .on('resources')
    .columns(['tenant_id', 'mode', 'type', 'checked_at'])
    .execute()
  await schema
    .createIndex('resources_due')
    .on('resources')
    .columns(['tenant_id', 'mode', 'due_on'])
    .where(sql.ref('due_on'), 'is not', null)
    .execute()
  await sql`
    insert into resources (tenant_id, mode, type, id, sequence, checked_at)
    select tenant_id, mode, resource_type, resource_id, max(sequence), max(created_at) from events
    group by tenant_id, mode, resource_type, resource_id`.execute(db)

  await texts(schema.createTable('feeds'), 'tenant_id mode source watermark? reached_at began_at')
    .addColumn('baseline', 'integer', (of) => of.notNull())
    .addPrimaryKeyConstraint('feeds_key', ['tenant_id', 'mode', 'source'])
    .execute()

  await texts(
    schema.createTable('leases').addColumn('name', 'text', (of) => of.primaryKey()),
    'holder until woken_at?',
  ).execute()

  await texts(
    schema.createTable('subscriptions').addColumn('subscription_id', 'text', (of) => of.primaryKey()),
    'tenant_id mode endpoint_url event_types description? status disabled_reason? disabled_at? secret secret_hint previous_secret? previous_secret_expires_at? failing_since? last_delivery_at? last_success_at? created_at updated_at',
  )
    .addColumn('consecutive_failures', 'integer', (of) => of.notNull())
    .addColumn('exhausted', 'integer', (of) => of.notNull())
    .addUniqueConstraint('subscriptions_url', ['tenant_id', 'mode', 'endpoint_url'])
    .execute()

  await texts(
    schema.createTable('deliveries').addColumn('delivery_id', 'text', (of) => of.primaryKey()),
    'subscription_id tenant_id mode event_id event_type coalesce? status cause log due_at lease? created_at ended_at?',
  )
    .addColumn('attempts', 'integer', (of) => of.notNull())
    .addColumn('response_status', 'integer')
    .execute()
  await schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['subscription_id', 'due_at'])
    .where(...pending)
    .execute()
  await schema
    .createIndex('deliveries_coalescing')
    .on('deliveries')
    .columns(['subscription_id', 'coalesce'])
    .where(...pending)
    .execute()
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['due_at'])
    .where(...pending)
    .execute()
  await schema
    .createIndex('deliveries_listed')
    .on('deliveries')
    .columns(['subscription_id', 'created_at', 'delivery_id'])
    .execute()
  await schema.createIndex('deliveries_event').on('deliveries').columns(['event_id']).execute()
  await schema.createIndex('deliveries_age').on('deliveries').column('created_at').execute()
}
