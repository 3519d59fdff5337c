import type { Insertable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export async function insertReferenceRows(
  db: Database,
  rows: readonly Insertable<Tables['product_references']>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('product_references').values(rows).execute()
}

export async function insertDescriptionRows(
  db: Database,
  rows: readonly Insertable<Tables['product_descriptions']>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('product_descriptions').values(rows).execute()
}
