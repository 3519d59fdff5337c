import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Database } from './database.ts'
import { isTransactionConflict } from './store-errors.ts'
import type { Tables } from './tables.ts'

const MAX_ATTEMPTS = 10
const FIRST_PAUSE_MS = 8
const MAX_PAUSE_MS = 250

/**
 * Runs `work` in one transaction. A transaction that conflicts with another one is retried from the start, up to ten times,
 * so `work` must change nothing but the store. Other errors are thrown unchanged.
 */
export async function transact<T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
  random: () => number = Math.random,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTransactionConflict(error)) throw error
      await pause(random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt))
    }
  }
}

/** Runs `work` in the given transaction, or in a new one. `work` must not catch store errors: they end the outer transaction. */
export const withinTransaction = <T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db as Transaction<Tables>) : transact(db, work))
