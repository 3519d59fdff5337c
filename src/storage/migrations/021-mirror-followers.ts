import type { Kysely } from 'kysely'
import { numbers, texts } from './columns.ts'

/** Adds the progress of the mirrors of all processes, so that no event is delivered before they have its change. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await numbers(texts(schema.createTable('mirror_followers'), 'tenant_id mode follower'), 'beat')
    .addColumn('sequence', 'bigint', (of) => of.notNull())
    .addPrimaryKeyConstraint('mirror_followers_key', ['tenant_id', 'mode', 'follower'])
    .execute()
}
