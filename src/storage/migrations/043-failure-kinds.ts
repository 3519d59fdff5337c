import type { Kysely } from 'kysely'

/** Adds the kinds of failure: to incidents, the count of responses by kind of failure; to circuit changes, the failures that opened it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('incidents').addColumn('causes', 'text').execute()
  await schema.alterTable('breaker_changes').addColumn('causes', 'text').execute()
}
