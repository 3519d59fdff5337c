import { type Kysely, sql } from 'kysely'
import { numbers, texts } from './columns.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('api_keys')
    .addColumn('revoked', 'integer', (of) => of.notNull().defaultTo(0))
    .execute()
  await sql`update api_keys set revoked = 1 where revoked_at <= ${new Date().toISOString()}`.execute(db)

  await numbers(
    texts(
      schema.createTable('attempt_counters').addColumn('digest', 'text', (of) => of.primaryKey()),
      'ends_at',
    ),
    'count',
  ).execute()
  await schema.createIndex('attempt_counters_end').on('attempt_counters').column('ends_at').execute()

  await texts(
    schema.createTable('sign_in_addresses').addColumn('digest', 'text', (of) => of.primaryKey()),
    'shopper_id expires_at',
  ).execute()
  await schema
    .createIndex('sign_in_addresses_shopper')
    .on('sign_in_addresses')
    .columns(['shopper_id', 'expires_at'])
    .execute()
  await schema.createIndex('sign_in_addresses_expiry').on('sign_in_addresses').column('expires_at').execute()
}
