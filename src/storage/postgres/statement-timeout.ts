import { type RawBuilder, sql } from 'kysely'

const SET_LOCAL = 'set local statement_timeout = '

/** Sets how long each following statement of a transaction may take in PostgreSQL. The connection waits as long for its replies. */
export const setStatementTimeout = (ms: number): RawBuilder<unknown> => sql.raw(SET_LOCAL + ms)

/** Returns the timeout that a statement of `setStatementTimeout` sets; `null`: it is another statement. */
export const readStatementTimeoutMs = (statement: string): number | null =>
  statement.startsWith(SET_LOCAL) ? Number(statement.slice(SET_LOCAL.length)) : null
