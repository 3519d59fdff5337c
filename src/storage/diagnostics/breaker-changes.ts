import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type BreakerChange = Selectable<Tables['breaker_changes']>

/** Inserts all rows or none. An existing row stays unchanged. */
export async function insertBreakerChanges(db: Database, rows: readonly BreakerChange[]): Promise<void> {
  await db
    .insertInto('breaker_changes')
    .values(rows)
    .onConflict((conflict) => conflict.column('change_id').doNothing())
    .execute()
}

export interface BreakerChangeQuery extends Tenant {
  /** All circuits by default. */
  circuits?: readonly string[]
  from: string
  to: string
  limit: number
}

/** Returns the latest changes from `from` to `to`, the oldest first. */
export async function listBreakerChanges(
  db: Database,
  { merchant, mode, circuits, from, to, limit }: BreakerChangeQuery,
): Promise<BreakerChange[]> {
  // PostgreSQL refuses an empty list.
  if (circuits?.length === 0) return []
  let query = db
    .selectFrom('breaker_changes')
    .selectAll()
    .where('at', '>=', from)
    .where('at', '<=', to)
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
  if (circuits !== undefined) query = query.where('system', 'in', circuits)
  const latest = await query.orderBy('at', 'desc').orderBy('change_id', 'desc').limit(limit).execute()
  return latest.reverse()
}
