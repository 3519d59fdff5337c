import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'

/**
 * Copies the numbers of up to `limit` orders out of what accounting returned, and returns how many orders those were. The previous release
 * confirms orders without this copy while an upgrade is rolled out.
 */
export async function fillOrderNumbers(db: Database, limit: number): Promise<number> {
  const number = isPostgresDatabase(db)
    ? sql`placed::json ->> 'order_number'`
    : sql`json_extract(placed, '$.order_number')`
  const unnumbered = db
    .selectFrom('orders')
    .select('order_id')
    .where('placed', 'is not', null)
    .where('order_number', 'is', null)
    .limit(limit)
  const { numUpdatedRows } = await db
    .updateTable('orders')
    // An order without a number is not read again.
    .set({ order_number: sql<string>`coalesce(${number}, '')` })
    .where('order_id', 'in', unnumbered)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
