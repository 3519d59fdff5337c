import type { Insertable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export async function insertReferenceRows(
  db: Database,
  rows: readonly Insertable<Tables['product_references']>[],
): Promise<void> {
  await db.insertInto('product_references').values(rows).execute()
}
