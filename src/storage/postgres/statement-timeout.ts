import { type RawBuilder, sql } from 'kysely'

const SET_LOCAL = 'set local statement_timeout = '

/** Sets the timeout of the following statements of a transaction in PostgreSQL. The connection waits as long for their replies. */
export const setStatementTimeout = (ms: number): RawBuilder<unknown> => sql.raw(SET_LOCAL + ms)

/** Returns the timeout that a statement of `setStatementTimeout` sets, or `null` for any other statement. */
export const readStatementTimeoutMs = (statement: string): number | null =>
  statement.startsWith(SET_LOCAL) ? Number(statement.slice(SET_LOCAL.length)) : null
