const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNIQUE_VIOLATION = '23505'
/** SQLite's primary result codes are the low byte of its extended ones. */
const SQLITE_BUSY = 5
const SQLITE_CONSTRAINT_UNIQUE = 2_067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1_555

/** Connection errors, a PostgreSQL server that starts, stops or has too many connections, and statement timeouts. */
const UNAVAILABLE_CODE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|08\w{3}|57P0\d|57014|53300|25P03)$/
/** Errors that pg throws without a code. */
const UNAVAILABLE_MESSAGE =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** Returns whether another process kept SQLite locked for longer than the busy timeout. */
export function isSqliteBusy(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY
}

/** Returns whether a row with the same key or unique values exists. In PostgreSQL the error has ended the transaction too. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = errorCodes(error)
  return code === UNIQUE_VIOLATION || errcode === SQLITE_CONSTRAINT_UNIQUE || errcode === SQLITE_CONSTRAINT_PRIMARYKEY
}

/** Returns whether the store was unreachable or too slow. The query itself may be correct. */
export function isStoreUnavailable(error: unknown): boolean {
  const { code } = errorCodes(error)
  if (isSqliteBusy(error)) return true
  if (typeof code === 'string' && UNAVAILABLE_CODE.test(code)) return true
  return error instanceof Error && UNAVAILABLE_MESSAGE.test(error.message)
}

/** Returns whether a transaction conflicted with another one and may be retried. */
export function isTransactionConflict(error: unknown): boolean {
  const { code } = errorCodes(error)
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || isSqliteBusy(error)
}

function errorCodes(error: unknown): { code?: string; errcode?: number } {
  return error instanceof Error ? (error as { code?: string; errcode?: number }) : {}
}
