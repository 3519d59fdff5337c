import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Database } from './database.ts'
import { isSqliteBusy } from './sqlite-driver.ts'
import type { Tables } from './tables.ts'

const ATTEMPTS = 10
const FIRST_PAUSE_MS = 8
const LONGEST_PAUSE_MS = 250

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNIQUE_VIOLATION = '23505'
const SQLITE_CONSTRAINT_UNIQUE = 2_067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1_555

/**
 * Does work in one transaction, all of it or none. Work that met another's is done again from its beginning, a bounded number of times,
 * so it must change nothing but the store. Any other error ends it, and is thrown as it came.
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
      if (attempt === ATTEMPTS || !isCollision(error)) throw error
      await pause(random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt))
    }
  }
}

/** Does work in the transaction that it is given, or in one of its own: work that gives nothing up, and catches nothing, half-way. */
export const withinTransaction = <T>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> => (db.isTransaction ? work(db as Transaction<Tables>) : transact(db, work))

/** Whether a row with the same key, or the same unique values, is there already. In PostgreSQL it has ended the transaction too. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = codesOf(error)
  return code === UNIQUE_VIOLATION || errcode === SQLITE_CONSTRAINT_UNIQUE || errcode === SQLITE_CONSTRAINT_PRIMARYKEY
}

/** Connections that cannot be had or that broke; a PostgreSQL that starts, stops or has too many of them; statements that took too long. */
const AWAY =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0\d|57014|53300|25P03)$/
/** What pg says without a code. */
const SAID_AWAY =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** Whether the store could not be reached, or had no time: nothing is wrong with the question. */
export function isStoreUnavailable(error: unknown): boolean {
  const { code } = codesOf(error)
  if (isSqliteBusy(error)) return true
  if (typeof code === 'string' && AWAY.test(code)) return true
  return error instanceof Error && SAID_AWAY.test(error.message)
}

function isCollision(error: unknown): boolean {
  const { code } = codesOf(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isSqliteBusy(error)
}

function codesOf(error: unknown): { code?: string; errcode?: number } {
  return error instanceof Error ? (error as { code?: string; errcode?: number }) : {}
}
