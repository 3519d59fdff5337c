import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isSqliteBusy } from '../store-errors.ts'
import type { WalCheckpoints } from './wal-checkpoints.ts'
import type { WalFile } from './wal-file.ts'

/** Preparing a statement costs four times as much as running a prepared read by key. */
const MAX_PREPARED_STATEMENTS = 256
const MAX_PAUSE_MS = 20
/** How much longer a statement waits while this process makes a checkpoint: on a slow disk, a late response is better than an error. */
const CHECKPOINT_WAIT_MS = 10_000
/** Once statements have taken this long in one turn of the event loop, requests that wait go first. */
const TURN_MS = 1

/** How long to wait for another process that writes. Mutable: a server that starts waits longer than one that accepts requests. */
export interface BusyTimeout {
  ms: number
}

export interface SqliteDriverParts {
  database: DatabaseSync
  busyTimeout: BusyTimeout
  /** Closed with the database; `null`: a store in memory. */
  walFile: WalFile | null
  /** `null`: a store in memory. */
  checkpoints: WalCheckpoints | null
  /** Called with each error of a statement. */
  onFailure: (error: unknown) => void
}

/**
 * A driver with one connection, lent to one caller at a time in request order. A transaction takes the write lock when it begins, so that
 * it cannot fail later because another process has written since it read. SQLite would block the event loop while it waits for
 * that lock; this driver polls instead.
 */
export function createSqliteDriver(parts: SqliteDriverParts): Driver {
  const { database, walFile, checkpoints } = parts
  const retryWhileBusy = createBusyRetry(parts)
  const connection = createConnection(database, withTurns(retryWhileBusy))
  const mutex = createMutex()
  return {
    init: async () => {},
    async acquireConnection() {
      await mutex.lock()
      return connection
    },
    async releaseConnection() {
      mutex.unlock()
      checkpoints?.request()
    },
    beginTransaction: () => retryWhileBusy(() => database.exec('begin immediate')),
    commitTransaction: () => retryWhileBusy(() => database.exec('commit')),
    async rollbackTransaction() {
      // On a full disk SQLite has rolled back by itself.
      if (database.isTransaction) database.exec('rollback')
    },
    async destroy() {
      await checkpoints?.[Symbol.asyncDispose]()
      walFile?.close()
      database.close()
    },
  }
}

function createConnection(database: DatabaseSync, retryWhileBusy: BusyRetry): DatabaseConnection {
  const cache = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: MAX_PREPARED_STATEMENTS,
  })

  function prepare(sql: string) {
    const cached = cache.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    cache.set(sql, prepared)
    return prepared
  }

  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const { statement, returnsRows } = prepare(sql)
    if (returnsRows) return { rows: statement.all(...(parameters as SQLInputValue[])) as R[] }
    const { changes, lastInsertRowid } = statement.run(...(parameters as SQLInputValue[]))
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  return {
    executeQuery: <R>(query: CompiledQuery) => retryWhileBusy(() => execute<R>(query)),
    async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      for (const row of database.prepare(sql).iterate(...(parameters as SQLInputValue[]))) yield { rows: [row as R] }
    },
  }
}

type BusyRetry = <T>(attempt: () => T) => Promise<T>

/** A statement that finds the store busy has changed nothing, so it can be retried. */
function createBusyRetry({ busyTimeout, checkpoints, onFailure }: SqliteDriverParts): BusyRetry {
  return async (attempt) => {
    let end = performance.now() + busyTimeout.ms
    const checkpointEnd = end + CHECKPOINT_WAIT_MS
    const hasWaitedEnough = () => {
      const at = performance.now()
      if (!checkpoints?.isRunning()) return at >= end
      // Other processes have waited for the checkpoint too, and may write first.
      end = at + busyTimeout.ms
      return at >= checkpointEnd
    }
    for (let pauseMs = 1; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        return attempt()
      } catch (error) {
        if (!isSqliteBusy(error) || hasWaitedEnough()) {
          onFailure(error)
          throw error
        }
        await pause(pauseMs)
      }
    }
  }
}

/**
 * Statements run in the event loop. Many of them in a row, as a change feed writes them, would hold it for milliseconds. A turn of a busy
 * loop may be long, and other callers and processes wait for a transaction meanwhile: the turns take no longer than the statements.
 */
function withTurns(retry: BusyRetry): BusyRetry {
  let turnStartedAt: number | null = null
  let lastTurnMs = 0
  let msSinceTurn = 0
  return async (attempt) => {
    const startedAt = performance.now()
    if (turnStartedAt === null) {
      turnStartedAt = startedAt
      setImmediate(() => {
        turnStartedAt = null
      })
    }
    const result = await retry(attempt)
    const endedAt = performance.now()
    msSinceTurn += endedAt - startedAt
    if (turnStartedAt !== null && endedAt - turnStartedAt > TURN_MS && msSinceTurn >= lastTurnMs) {
      await nextTurn()
      lastTurnMs = performance.now() - endedAt
      msSinceTurn = 0
    }
    return result
  }
}

/** A first-come, first-served lock. Kysely's own wakes every waiting caller on each release. */
function createMutex() {
  const waiting: (() => void)[] = []
  let isLocked = false
  return {
    async lock(): Promise<void> {
      if (isLocked) return new Promise((resolve) => waiting.push(resolve))
      isLocked = true
    },
    unlock(): void {
      const next = waiting.shift()
      if (next) next()
      else isLocked = false
    },
  }
}
