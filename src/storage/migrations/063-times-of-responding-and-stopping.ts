import type { Kysely } from 'kysely'

/** Adds since when the system of an incident responds again, and when a process stopped. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('incidents').addColumn('responding_since', 'text').execute()
  await schema.alterTable('process_starts').addColumn('stopped_at', 'text').execute()
}
