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

/** Returns the first change of each of these circuits to `closed` after an instant: a process and a circuit have one. */
export async function listNextClosings(
  db: Database,
  { merchant, mode, circuits, after, limit }: Tenant & { circuits: readonly string[]; after: string; limit: number },
): Promise<BreakerChange[]> {
  if (circuits.length === 0) return []
  const closings = await db
    .selectFrom('breaker_changes')
    .selectAll()
    .where('at', '>', after)
    .where('tenant_id', '=', merchant)
    .where('mode', '=', mode)
    .where('system', 'in', circuits)
    .where('state', '=', 'closed')
    .orderBy('at')
    .orderBy('change_id')
    .limit(limit)
    .execute()
  const isFirst = ({ process, system }: BreakerChange, index: number) =>
    closings.findIndex((other) => other.process === process && other.system === system) === index
  return closings.filter(isFirst)
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
