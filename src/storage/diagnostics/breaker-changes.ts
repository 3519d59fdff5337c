import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type BreakerChange = Selectable<Tables['breaker_changes']>

/** All of them or none; one that is there already stays as it is. */
export async function insertBreakerChanges(db: Database, rows: readonly BreakerChange[]): Promise<void> {
  await db
    .insertInto('breaker_changes')
    .values(rows)
    .onConflict((conflict) => conflict.column('change_id').doNothing())
    .execute()
}

export interface BreakerChangeQuery {
  tenant: string
  mode: Mode
  /** All of them when it is left out. */
  system?: string
  from: string
  to: string
  most: number
}

/** From `from` to `to`, the oldest first; when there are more than `most`, the latest. */
export async function listBreakerChanges(
  db: Database,
  { tenant, mode, system, from, to, most }: BreakerChangeQuery,
): Promise<BreakerChange[]> {
  let query = db
    .selectFrom('breaker_changes')
    .selectAll()
    .where('at', '>=', from)
    .where('at', '<=', to)
    .where('tenant_id', '=', tenant)
    .where('mode', '=', mode)
  if (system !== undefined) query = query.where('system', '=', system)
  const latest = await query.orderBy('at', 'desc').orderBy('change_id', 'desc').limit(most).execute()
  return latest.reverse()
}
