import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Queries that read an import when it ended have finished by then. */
const ENDED_MS = 60_000
/** The process that writes an import touches it every few seconds. */
const LOADING_MS = 10 * 60_000

/** The tables of one kind of import. */
interface PrunedImports {
  imports: 'fitment_imports' | 'reference_imports'
  /** The tables of its rows, with the columns that identify a row within an import. */
  rows: Readonly<Record<string, readonly string[]>>
}

export const prunedImports: readonly PrunedImports[] = [
  {
    imports: 'fitment_imports',
    rows: { fitments: ['vehicle_id', 'sku'], fitment_vehicles: ['vehicle_id'] },
  },
  {
    imports: 'reference_imports',
    rows: {
      product_references: ['sku', 'kind', 'number_key', 'brand_key', 'customer_id'],
      product_descriptions: ['sku'],
    },
  },
]

/** Deletes up to `limit` rows of an import that has ended or whose writer died, and returns how many it deleted. */
export async function pruneImports(
  db: Database,
  { imports, rows }: PrunedImports,
  now: number,
  limit: number,
): Promise<number> {
  // The tables have the same columns: one type stands for all.
  const table = imports as 'fitment_imports'
  await db
    .updateTable(table)
    .set({ state: 'ENDED' })
    .where('state', '=', 'LOADING')
    .where('touched_at', '<', iso(now - LOADING_MS))
    .execute()
  const ended = await db
    .selectFrom(table)
    .select('import_id')
    .where('state', '=', 'ENDED')
    .where('touched_at', '<', iso(now - ENDED_MS))
    .orderBy('import_id')
    .executeTakeFirst()
  if (!ended) return 0
  for (const [name, columns] of Object.entries(rows)) {
    const deleted = await deleteRows(db, { name, columns }, ended.import_id, limit)
    if (deleted > 0) return deleted
  }
  await db.deleteFrom(table).where('import_id', '=', ended.import_id).execute()
  return 1
}

async function deleteRows(
  db: Database,
  { name, columns }: { name: string; columns: readonly string[] },
  importId: number,
  limit: number,
): Promise<number> {
  const [table, identity] = [sql.table(name), sql.join(columns.map((column) => sql.ref(column)))]
  const { numAffectedRows } = await sql`
    delete from ${table} where import_id = ${importId} and (${identity}) in
      (select ${identity} from ${table} where import_id = ${importId} order by ${identity} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

const iso = (ms: number) => new Date(ms).toISOString()
