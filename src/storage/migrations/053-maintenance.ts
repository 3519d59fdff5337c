import type { Kysely } from 'kysely'

/** Adds why an operator stops the calls to a system. To the previous release, planned maintenance is a circuit held open. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('directives').addColumn('reason', 'text').execute()
}
