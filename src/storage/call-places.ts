import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Who holds the places for calls to one system, or a process that may hold some. */
export interface CallPlacesRow {
  name: string
  /** Higher with each change. */
  version: number
  document: string
  changed_at: string
}

/** Returns the rows that have changed since a time, and all rows with this prefix; all of both if the time is `''`. */
export const listCallPlaces = (db: Database, since: string, prefix: string): Promise<CallPlacesRow[]> =>
  db
    .selectFrom('call_places')
    .selectAll()
    .where((where) => where.or([where('changed_at', '>=', since), where('name', 'like', `${prefix}%`)]))
    .orderBy('name')
    .execute()

export const findCallPlaces = (db: Database, name: string): Promise<CallPlacesRow | undefined> =>
  db.selectFrom('call_places').selectAll().where('name', '=', name).executeTakeFirst()

/** Changes a row whose version is `known`, or adds it if that is 0. Returns false when another process was faster. */
export async function replaceCallPlaces(
  db: Database,
  row: { name: string; known: number; document: string; at: string },
): Promise<boolean> {
  const { name, known, document, at } = row
  const values = { version: known + 1, document, changed_at: at }
  const written =
    known === 0
      ? await db
          .insertInto('call_places')
          .values({ name, ...values })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .returning('name')
          .execute()
      : await db
          .updateTable('call_places')
          .set(values)
          .where('name', '=', name)
          .where('version', '=', known)
          .returning('name')
          .execute()
  return written.length === 1
}

/** Shows the other processes that this one is alive, or that it has ended. */
export async function writeCallProcess(
  db: Database,
  process: { name: string; document: string; at: string },
): Promise<void> {
  const { name, document, at } = process
  await db
    .insertInto('call_places')
    .values({ name, version: 1, document, changed_at: at })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ version: sql<number>`call_places.version + 1`, document, changed_at: at }),
    )
    .execute()
}

/** Deletes the rows with this prefix that have not changed since a time. */
export async function deleteCallPlaces(db: Database, prefix: string, before: string): Promise<void> {
  await db.deleteFrom('call_places').where('name', 'like', `${prefix}%`).where('changed_at', '<', before).execute()
}
