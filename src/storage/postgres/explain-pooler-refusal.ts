const UNSUPPORTED_PARAMETER = /^unsupported startup parameter: /
const STATEMENT_POOLING = /^transaction blocks not allowed in statement pooling mode/

/** Returns what to do when PgBouncer refuses a connection or a transaction, or `null` for any other error. */
export function explainPoolerRefusal(message: string): string | null {
  if (UNSUPPORTED_PARAMETER.test(message))
    return `${message}. Set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout in pgbouncer.ini: see docs/store.md`
  if (STATEMENT_POOLING.test(message))
    return `${message}. Set pool_mode = transaction in pgbouncer.ini: see docs/store.md`
  return null
}
