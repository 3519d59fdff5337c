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

/**
 * Deletes up to `limit` rows of an import that has ended, whose writer died, or that was pruned by a release that does not know all of its tables.
 * Returns how many it deleted.
 */
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
  for (const [name, columns] of Object.entries(rows)) {
    const importId = ended?.import_id ?? (await findMissingImport(db, imports, name))
    const deleted = importId === undefined ? 0 : await deleteRows(db, { name, columns }, importId, limit)
    if (deleted > 0) return deleted
  }
  if (!ended) return 0
  await db.deleteFrom(table).where('import_id', '=', ended.import_id).execute()
  return 1
}

/** Returns an import that has rows in a table, but does not exist. Each import that has rows is found in the index, without reading its rows. */
async function findMissingImport(
  db: Database,
  imports: PrunedImports['imports'],
  name: string,
): Promise<number | undefined> {
  const [table, all] = [sql.table(name), sql.table(imports)]
  const { rows } = await sql<{ import_id: number }>`
    with recursive present (import_id) as (
      select min(import_id) from ${table}
      union all
      select (select min(import_id) from ${table} where import_id > present.import_id) from present
        where present.import_id is not null
    )
    select present.import_id as import_id from present left join ${all} as known on known.import_id = present.import_id
      where present.import_id is not null and known.import_id is null limit 1`.execute(db)
  return rows[0] && Number(rows[0].import_id)
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
