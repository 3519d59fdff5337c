import type { Database } from '../database.ts'
import { type ExpiringTable, retentionByTable } from './table-retention.ts'

/** Deletes up to `limit` expired rows of a table and returns how many it deleted. */
export async function deleteExpiredRows(
  db: Database,
  table: ExpiringTable,
  now: number,
  limit: number,
): Promise<number> {
  const { keyColumn, timeColumn, retentionMs } = retentionByTable[table]
  // The tables differ in their columns: one table's type stands for all.
  const anyTable = table as 'shopper_sessions'
  const [key, time] = [keyColumn as 'digest', timeColumn as 'expires_at']
  let expired = db
    .selectFrom(anyTable)
    .select(key)
    .where(time, '<', new Date(now - retentionMs).toISOString())
  if (table === 'carts') expired = expired.where('state' as 'tenant_id', '=', 'ACTIVE')
  const { numDeletedRows } = await db
    .deleteFrom(anyTable)
    .where(key, 'in', expired.limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
