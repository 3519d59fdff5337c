import type { Kysely } from 'kysely'

/** Adds why a lease is held: processes that follow an open circuit say what opened it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('leases').addColumn('cause', 'text').execute()
}
