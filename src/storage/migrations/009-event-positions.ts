import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Gives each event a position in its tenant's list. Existing events get theirs from the server, in small transactions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await numbers(texts(schema.createTable('event_positions'), 'tenant_id mode'), 'position')
    .addPrimaryKeyConstraint('event_positions_key', ['tenant_id', 'mode'])
    .execute()
  await schema.alterTable('events').addColumn('position', 'integer').execute()
}
