import { sql } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'

/** Counting further says nothing more. */
const MOST = 10_000

/** Of a merchant's in one mode. `oldestAt` is RFC 3339. */
export interface BacklogCount {
  tenant_id: string
  mode: Mode
  count: number
  oldestAt: string
}

/** Orders that the ledger has not answered for; 10,000 stands for that many or more. */
export async function countPendingOrders(db: Database): Promise<BacklogCount[]> {
  // In words: with a parameter SQLite would not use the index of those alone.
  const pending = db
    .selectFrom('orders')
    .select(['tenant_id', 'mode', 'created_at as since'])
    .where('status', '=', sql.lit<'PENDING'>('PENDING'))
  return db
    .selectFrom(pending.limit(MOST).as('waiting'))
    .select(['tenant_id', 'mode'])
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.min('since').as('oldestAt')])
    .groupBy(['tenant_id', 'mode'])
    .execute()
}

/** Deliveries whose time has come, and since when; 10,000 stands for that many or more. */
export async function countDueDeliveries(db: Database, now: string): Promise<BacklogCount[]> {
  const due = db
    .selectFrom('deliveries')
    .select(['tenant_id', 'mode', 'due_at as since'])
    .where('status', '=', sql.lit<'PENDING'>('PENDING'))
    .where('due_at', '<=', now)
    .orderBy('due_at')
  return db
    .selectFrom(due.limit(MOST).as('due'))
    .select(['tenant_id', 'mode'])
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.min('since').as('oldestAt')])
    .groupBy(['tenant_id', 'mode'])
    .execute()
}

/** Webhook endpoints by status. */
export async function countEndpointsByStatus(db: Database) {
  return db
    .selectFrom('subscriptions')
    .select(['tenant_id', 'mode', 'status'])
    .select((of) => of.fn.countAll<number>().as('count'))
    .groupBy(['tenant_id', 'mode', 'status'])
    .execute()
}

/** Endpoints that are still counted as active, and have failed each attempt since then or longer. */
export async function countFailingEndpoints(db: Database, since: string): Promise<number> {
  const { count } = await db
    .selectFrom('subscriptions')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('status', '=', 'ACTIVE')
    .where('consecutive_failures', '>', 0)
    .where('failing_since', '<=', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Incidents that go on. */
export async function countOpenIncidents(db: Database) {
  return db
    .selectFrom('incidents')
    .select(['tenant_id', 'mode', 'system'])
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null)
    .groupBy(['tenant_id', 'mode', 'system'])
    .execute()
}
