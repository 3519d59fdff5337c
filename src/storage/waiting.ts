import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Counting further says nothing more. */
const MOST = 10_000

export interface Waiting {
  /** 10,000 stands for that many or more. */
  count: number
  /** `null`: none waits. */
  oldest: string | null
}

/** Orders whose ledger has not answered yet. */
export async function waitingOrders(db: Database): Promise<Waiting> {
  // In words: with a parameter SQLite would not use the index of those alone.
  const pending = db.selectFrom('orders').select('created_at').where('status', '=', sql.lit('PENDING')).limit(MOST)
  const { count, oldest } = await db
    .selectFrom(pending.as('pending'))
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { count, oldest }
}

/** Deliveries whose time has come; `oldest`: when that was. */
export async function dueDeliveries(db: Database, now: string): Promise<Waiting> {
  const pending = db.selectFrom('deliveries').select('due_at').where('status', '=', sql.lit('PENDING'))
  const due = pending.where('due_at', '<=', now).orderBy('due_at').limit(MOST)
  const { count, oldest } = await db
    .selectFrom(due.as('due'))
    .select((of) => [of.fn.countAll<number>().as('count'), of.fn.min('due_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { count, oldest }
}

/** How many endpoints take nothing, and how many are disabled. */
export async function troubledEndpoints(db: Database): Promise<{ failing: number; disabled: number }> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['status', (of) => of.fn.countAll<number>().as('count')])
    .where('status', 'in', ['FAILING', 'DISABLED'])
    .groupBy('status')
    .execute()
  const of = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  return { failing: of('FAILING'), disabled: of('DISABLED') }
}
