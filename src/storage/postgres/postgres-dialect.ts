import { PostgresAdapter, PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { readStatementTimeoutMs } from './statement-timeout.ts'

export interface PostgresLimits {
  connections: number
  /** The wait for a free or a new connection. */
  connectTimeoutMs: number
  /** 0: none. */
  statementTimeoutMs: number
}

/** Limits of one process. PostgreSQL allows 100 connections in all by default. */
const servingLimits: PostgresLimits = { connections: 10, connectTimeoutMs: 2_000, statementTimeoutMs: 5_000 }
/** A migration has no statement timeout: it may be slow, and it waits for other processes that migrate. */
const migratingLimits: PostgresLimits = { connections: 2, connectTimeoutMs: 5_000, statementTimeoutMs: 0 }

const limitsFor = { serving: servingLimits, migrating: migratingLimits }

export const createPostgresDialect = (
  store: string,
  purpose: keyof typeof limitsFor,
  onFailure?: (error: unknown) => void,
): PostgresDialect => {
  const { url, limits } = extractLimits(store)
  // The store's statement timeout is for servers. With it, a long index build would never end.
  const { statementTimeoutMs = limitsFor[purpose].statementTimeoutMs } = purpose === 'serving' ? limits : {}
  return createPooledPostgresDialect(url, { ...limitsFor[purpose], ...limits, statementTimeoutMs }, onFailure)
}

/** Returns the URL without the limits that it sets by libpq's names: `connect_timeout` in seconds, `statement_timeout` in milliseconds. */
function extractLimits(store: string): { url: string; limits: Partial<PostgresLimits> } {
  const url = new URL(store)
  const take = (name: string) => {
    if (!url.searchParams.has(name)) return 0
    const value = Number(url.searchParams.get(name))
    url.searchParams.delete(name)
    return value
  }
  const [connect, statement] = [take('connect_timeout'), take('statement_timeout')]
  return {
    url: url.href,
    limits: {
      ...(connect > 0 && { connectTimeoutMs: connect * 1_000 }),
      ...(statement > 0 && { statementTimeoutMs: statement }),
    },
  }
}

/** How much longer than the statement timeout a reply may take before the connection counts as dead. */
const NETWORK_ALLOWANCE_MS = 1_000
const INT8 = 20
const READ_ONLY_TRANSACTION = '25006'

/** A dialect over a bounded pool of connections. A broken connection is replaced when the next one is needed. `onFailure` receives each error. */
export function createPooledPostgresDialect(
  url: string,
  limits: PostgresLimits,
  onFailure: (error: unknown) => void = () => {},
): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'forecourt',
    max: limits.connections,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    keepAlive: true,
    ...(limits.statementTimeoutMs > 0 && {
      statement_timeout: limits.statementTimeoutMs,
      query_timeout: limits.statementTimeoutMs + NETWORK_ALLOWANCE_MS,
      // A machine that loses its power leaves its transactions open. Whoever waits for their locks has to wait longer than they are kept.
      idle_in_transaction_session_timeout: Math.ceil(limits.statementTimeoutMs / 2),
    }),
    // Counts and sums are numbers, as in SQLite.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A connection that breaks while idle reports it only here.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new UnlockedPostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => withoutDeadConnections(await reporting(pool.connect(), onFailure), onFailure),
      end: () => pool.end(),
    },
  })
}

/**
 * Kysely's migrator locks by session, and a pooler of connections may unlock in another session: the lock would stay. `withMigrationLock` locks
 * instead.
 */
class UnlockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter()
  }
}

class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const isReadOnly = (error: Error & { code?: string }) => error.code === READ_ONLY_TRANSACTION

/** Reports the error of a promise before its caller gets it. */
async function reporting<T>(work: Promise<T>, onFailure: (error: unknown) => void): Promise<T> {
  try {
    return await work
  } catch (error) {
    onFailure(error)
    throw error
  }
}

/**
 * The connection of one transaction, or of one statement. It is closed on release when a query on it got no reply, because the next caller would
 * wait for the same dead connection. It is also closed when the server is read-only: after a failover, a new connection may reach the new primary.
 */
function withoutDeadConnections(client: pg.PoolClient, onFailure: (error: unknown) => void): PostgresPoolClient {
  let isDead = false
  let replyTimeoutMs: number | undefined
  async function query<R>(statement: unknown, parameters?: readonly unknown[]) {
    try {
      const text = statement as string
      // `undefined`: the limit of the pool.
      const limited = { text, values: parameters as unknown[], query_timeout: replyTimeoutMs }
      const result = await reporting(client.query(limited), onFailure)
      const statementTimeoutMs = readStatementTimeoutMs(text)
      if (statementTimeoutMs !== null) replyTimeoutMs = statementTimeoutMs + NETWORK_ALLOWANCE_MS
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      isDead ||= error instanceof Error && (error.message === 'Query read timeout' || isReadOnly(error))
      throw error
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isDead),
  }
}
