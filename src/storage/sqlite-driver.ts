import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'

/** Preparing costs four times what running a prepared read by key does. */
const PREPARED = 256
const LONGEST_PAUSE_MS = 20
/** SQLite's primary result codes are the low byte of its extended ones. */
const SQLITE_BUSY = 5

/** How long another process that is writing is waited for. */
export interface BusyTimeout {
  ms: number
}

/** Whether another process held the store for longer than it was waited for. */
export function isSqliteBusy(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY
}

/**
 * One connection, lent to one caller at a time in the order of asking. Transactions take the right to write as they begin,
 * so that none of them finds in its middle that another process has written since it read. SQLite would wait for that right with
 * the event loop, and with it everybody: this waits without.
 */
export function createSqliteDriver(database: DatabaseSync, patience: BusyTimeout): Driver {
  const connection = connectionOf(database, patience)
  const turns = createTurns()
  return {
    init: async () => {},
    async acquireConnection() {
      await turns.take()
      return connection
    },
    releaseConnection: async () => turns.give(),
    beginTransaction: () => patiently(patience, () => database.exec('begin immediate')),
    commitTransaction: async () => database.exec('commit'),
    async rollbackTransaction() {
      // A full disk has SQLite roll back by itself.
      if (database.isTransaction) database.exec('rollback')
    },
    destroy: async () => database.close(),
  }
}

function connectionOf(database: DatabaseSync, patience: BusyTimeout): DatabaseConnection {
  const prepared = new LRUCache<string, { statement: StatementSync; reads: boolean }>({ max: PREPARED })

  function prepare(sql: string) {
    const known = prepared.get(sql)
    if (known) return known
    const statement = database.prepare(sql)
    const made = { statement, reads: statement.columns().length > 0 }
    prepared.set(sql, made)
    return made
  }

  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, reads } = prepare(sql)
    if (reads) return { rows: statement.all(...(parameters as SQLInputValue[])) as R[] }
    const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]))
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  return {
    executeQuery: <R>(query: CompiledQuery) => patiently(patience, () => execute<R>(query)),
    async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of database.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] }
    },
  }
}

/** A statement that finds the store busy has changed nothing, so it may be tried again. */
async function patiently<T>(patience: BusyTimeout, attempt: () => T): Promise<T> {
  const end = performance.now() + patience.ms
  for (let pauseMs = 1; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    try {
      return attempt()
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() >= end) throw error
      await pause(pauseMs)
    }
  }
}

/** Kysely's own lock wakes everybody who waits each time it is given back. */
function createTurns() {
  const waiting: (() => void)[] = []
  let taken = false
  return {
    async take(): Promise<void> {
      if (taken) return new Promise((resolve) => waiting.push(resolve))
      taken = true
    },
    give(): void {
      const next = waiting.shift()
      if (next) next()
      else taken = false
    },
  }
}
