import { type Kysely, sql } from 'kysely'
import { texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('shopper_sessions').addColumn('family_id', 'text').execute()
  await schema.createIndex('shopper_sessions_family').on('shopper_sessions').column('family_id').execute()
  await schema.createIndex('shopper_sessions_expiry').on('shopper_sessions').column('expires_at').execute()

  await texts(
    schema.createTable('shoppers').addColumn('shopper_id', 'text', (of) => of.primaryKey()),
    'tenant_id mode email password_hash customer_id? verified_at? created_at updated_at',
  )
    .addUniqueConstraint('shoppers_email', ['tenant_id', 'mode', 'email'])
    .execute()
  await schema.createIndex('shoppers_customer').on('shoppers').columns(['tenant_id', 'mode', 'customer_id']).execute()

  await texts(
    schema.createTable('refresh_tokens').addColumn('digest', 'text', (of) => of.primaryKey()),
    'family_id shopper_id created_at expires_at used_at? revoked_at?',
  ).execute()
  await schema.createIndex('refresh_tokens_expiry').on('refresh_tokens').column('expires_at').execute()
  await schema.createIndex('refresh_tokens_family').on('refresh_tokens').column('family_id').execute()
  await schema.createIndex('refresh_tokens_shopper').on('refresh_tokens').column('shopper_id').execute()

  await texts(
    schema.createTable('mailbox_tokens').addColumn('digest', 'text', (of) => of.primaryKey()),
    'tenant_id mode purpose email payload created_at expires_at used_at?',
  ).execute()
  await schema
    .createIndex('mailbox_tokens_email')
    .on('mailbox_tokens')
    .columns(['tenant_id', 'mode', 'email'])
    .execute()
  await schema.createIndex('mailbox_tokens_expiry').on('mailbox_tokens').column('expires_at').execute()

  await texts(
    schema.createTable('carts').addColumn('cart_id', 'text', (of) => of.primaryKey()),
    'tenant_id mode customer_id state lines promotions pricing? order_id? created_at updated_at expires_at',
  )
    .addColumn('version', 'integer', (of) => of.notNull())
    .execute()

  await texts(
    schema
      .createTable('orders')
      .addColumn('order_id', 'text', (of) => of.primaryKey())
      .addColumn('cart_id', 'text', (of) => of.notNull().unique()),
    'tenant_id mode customer_id status draft placed? leased_until reject_reason? created_at updated_at',
  )
    .addColumn('told', 'integer', (of) => of.notNull())
    .addColumn('attempts', 'integer', (of) => of.notNull())
    .execute()
  await schema
    .createIndex('orders_customer')
    .on('orders')
    .columns(['tenant_id', 'mode', 'customer_id', 'status', 'created_at'])
    .execute()
  await schema
    .createIndex('orders_pending')
    .on('orders')
    .columns(['leased_until'])
    .where(sql.ref('status'), '=', sql.lit('PENDING'))
    .execute()

  await texts(
    schema.createTable('idempotency_keys').addColumn('digest', 'text', (of) => of.primaryKey()),
    'tenant_id fingerprint state locked_until applied? body? created_at expires_at',
  )
    .addColumn('status', 'integer')
    .execute()
  await schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at').execute()

  await texts(
    schema.createTable('events').addColumn('event_id', 'text', (of) => of.primaryKey()),
    'tenant_id mode type resource_type resource_id data created_at',
  )
    .addColumn('sequence', 'integer', (of) => of.notNull())
    .addUniqueConstraint('events_sequence', ['tenant_id', 'mode', 'resource_type', 'resource_id', 'sequence'])
    .execute()
  await schema.createIndex('events_created').on('events').columns(['tenant_id', 'mode', 'created_at']).execute()
}
