import type { Transaction } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import { type Tenant, tenantKey } from '../tenant.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'
import { transact } from './transact.ts'

/** The maximum in a process: its requests need the other connections. */
const MAX_TRANSACTIONS = 4

interface BackgroundQueue {
  limit: LimitFunction
  turns: Map<string, LimitFunction>
}

const queues = new WeakMap<Database, BackgroundQueue>()

/**
 * Runs `work` in one transaction, as `transact` does, after the earlier ones of the same tenant: they lock the same rows, and would each hold a
 * connection while they wait. At most four of all tenants run at once, so that a request finds a connection while many catalogs are copied.
 * `work` must not wait for another such transaction.
 */
export const transactInBackground = <T>(
  db: Database,
  tenant: Tenant,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> => takeTurn(db, tenantKey(tenant), () => transact(db, work))

/** Runs a transaction after the earlier ones of the same name, as one of the four. */
export function takeTurn<T>(db: Database, name: string, run: () => Promise<T>): Promise<T> {
  const { limit, turns } = queues.getOrInsertComputed(db, () => ({ limit: pLimit(MAX_TRANSACTIONS), turns: new Map() }))
  const inTurn = turns.getOrInsertComputed(name, () => pLimit(1))
  return inTurn(() => limit(run))
}
