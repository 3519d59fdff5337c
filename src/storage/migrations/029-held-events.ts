import type { Kysely } from 'kysely'

/** Adds the time until which an event is held back, so that the list of events shows it no earlier than endpoints receive it. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('events').addColumn('held_until', 'text').execute()
}
