import type { Kysely } from 'kysely'

/** Adds the latest ended failure of a catalog part, and the longest response or call of each step of the timeline. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const column of ['ended_failure', 'ended_failure_from', 'ended_failure_until'])
    await schema.alterTable('catalog_parts').addColumn(column, 'text').execute()
  await schema.alterTable('timeline').addColumn('longest_ms', 'integer').execute()
}
