import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Counting further says nothing more. */
const MOST = 10_000

export interface DeliveryBacklog {
  /** Deliveries whose time has come; 10,000 stands for that many or more. */
  due: number
  /** Whether an endpoint that takes what it is sent has waited since that instant. */
  neglected: boolean
}

export async function readDeliveryBacklog(db: Database, now: string, since: string): Promise<DeliveryBacklog> {
  // In words: with a parameter SQLite would not use the indexes of those alone.
  const pending = sql.lit<'PENDING'>('PENDING')
  const due = db.selectFrom('deliveries').select('delivery_id').where('status', '=', pending).where('due_at', '<=', now)
  const { count } = await db
    .selectFrom(due.limit(MOST).as('due'))
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const waiting = await db
    .selectFrom('subscriptions as of')
    .select('of.subscription_id')
    .where('of.status', '=', 'ACTIVE')
    .where('of.consecutive_failures', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('delivery_id')
          .where('deliveries.status', '=', pending)
          .where('due_at', '<=', since)
          .whereRef('deliveries.subscription_id', '=', 'of.subscription_id'),
      ),
    )
    .limit(1)
    .execute()
  return { due: count, neglected: waiting.length > 0 }
}
