import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import { transact } from '../transact.ts'

export type IncidentNoteRow = Selectable<Tables['incident_notes']>

/** The most entries of one incident. */
export const MAX_INCIDENT_NOTES = 200

/** Adds an entry to an incident. Returns false when the incident has as many as it may. */
export async function addIncidentNote(db: Database, note: Omit<IncidentNoteRow, 'note_id'>): Promise<boolean> {
  return transact(db, async (transaction) => {
    await acquireAdvisoryLock(transaction, 'incident-notes')
    if ((await listIncidentNotes(transaction, note.incident_id)).length >= MAX_INCIDENT_NOTES) return false
    await transaction
      .insertInto('incident_notes')
      .values({ note_id: `note_${randomBase62(16)}`, ...note })
      .execute()
    return true
  })
}

/** Returns the acknowledgements and assignments of several incidents, by incident, the oldest first. */
export async function listIncidentCare(
  db: Database,
  incidentIds: readonly string[],
): Promise<Map<string, IncidentNoteRow[]>> {
  if (incidentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('incident_notes')
    .selectAll()
    .where('incident_id', 'in', incidentIds)
    .where('kind', 'in', ['acknowledged', 'assigned'])
    .execute()
  // The index is by incident, so the database would sort all of them.
  const sorted = rows.toSorted((one, other) => (`${one.at} ${one.note_id}` < `${other.at} ${other.note_id}` ? -1 : 1))
  return Map.groupBy(sorted, ({ incident_id }) => incident_id)
}

/** Returns the entries of an incident, the oldest first. */
export const listIncidentNotes = (db: Database, incidentId: string): Promise<IncidentNoteRow[]> =>
  db
    .selectFrom('incident_notes')
    .selectAll()
    .where('incident_id', '=', incidentId)
    .orderBy('at')
    .orderBy('note_id')
    .limit(MAX_INCIDENT_NOTES)
    .execute()
