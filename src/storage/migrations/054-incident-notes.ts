import type { Kysely } from 'kysely'
import { texts } from './columns.ts'

/** What operators do about an incident: who has seen it, who looks after it, and their notes. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  const table = schema.createTable('incident_notes').addColumn('note_id', 'text', (of) => of.primaryKey())
  await texts(table, 'incident_id at operator kind text?').execute()
  await schema
    .createIndex('incident_notes_of_incident')
    .on('incident_notes')
    .columns(['incident_id', 'at', 'note_id'])
    .execute()
  await schema.createIndex('incident_notes_in_time').on('incident_notes').column('at').execute()
}
