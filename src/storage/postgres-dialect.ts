import { PostgresDialect, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import pg from 'pg'

export interface PostgresLimits {
  connections: number
  /** For a free connection, or for a new one. */
  connectMs: number
  /** Of one statement; 0: none. */
  statementMs: number
}

/** Of one process: PostgreSQL gives 100 to all of them unless it is told otherwise. */
const servingLimits: PostgresLimits = { connections: 10, connectMs: 2_000, statementMs: 5_000 }
/** A migration takes as long as it takes, and waits for others that migrate. */
const migratingLimits: PostgresLimits = { connections: 2, connectMs: 5_000, statementMs: 0 }

const limitsFor = { serving: servingLimits, migrating: migratingLimits }

export const createPostgresDialect = (store: string, purpose: keyof typeof limitsFor): PostgresDialect => {
  const { url, limits } = withLimits(store)
  return createPooledPostgresDialect(url, { ...limitsFor[purpose], ...limits })
}

/** A URL, and the limits that it sets by libpq's names: `connect_timeout` in seconds, `statement_timeout` in milliseconds. */
function withLimits(store: string): { url: string; limits: Partial<PostgresLimits> } {
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
    limits: { ...(connect > 0 && { connectMs: connect * 1_000 }), ...(statement > 0 && { statementMs: statement }) },
  }
}

/** What the network may take beside the statement, before the connection counts as dead. */
const SILENCE_MS = 1_000
const INT8 = 20

/** PostgreSQL at a URL, over a bounded pool. Connections that break are replaced as they are needed. */
export function createPooledPostgresDialect(url: string, limits: PostgresLimits): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'forecourt',
    max: limits.connections,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    ...(limits.statementMs > 0 && {
      statement_timeout: limits.statementMs,
      query_timeout: limits.statementMs + SILENCE_MS,
      idle_in_transaction_session_timeout: limits.statementMs,
    }),
    // Counts and sums are numbers, as SQLite gives them.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  // A connection that breaks between two queries says so here, and to nobody else.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({
    pool: { options: pool.options, connect: async () => leased(await pool.connect()), end: () => pool.end() },
  })
}

/** A connection that did not answer is not given to the next one, who would wait behind the same silence. */
function leased(client: pg.PoolClient): PostgresPoolClient {
  let silent = false
  async function query<R>(sql: unknown, parameters?: readonly unknown[]) {
    try {
      const result = await client.query(sql as string, parameters as unknown[])
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      silent ||= error instanceof Error && error.message === 'Query read timeout'
      throw error
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || silent),
  }
}
