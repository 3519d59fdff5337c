const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNIQUE_VIOLATION = '23505'
/** SQLite's primary result codes are the low byte of its extended ones. */
const SQLITE_BUSY = 5
const SQLITE_CONSTRAINT_UNIQUE = 2_067
const SQLITE_CONSTRAINT_PRIMARYKEY = 1_555

/** Failures of the store's files, by SQLite's primary result code. */
const sqliteFailures: Readonly<Record<number, string>> = {
  8: 'the store cannot be written',
  10: 'the disk returns errors',
  11: 'the file of the store is damaged',
  13: 'the disk is full',
  14: 'the files of the store cannot be opened',
  26: 'the file of the store is damaged',
}
/** The same, by codes of PostgreSQL and of the operating system. */
const diskFailures: Readonly<Record<string, string>> = {
  '53100': 'the disk is full',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  '25006': 'the store cannot be written',
  EROFS: 'the store cannot be written',
  '58030': 'the disk returns errors',
  EIO: 'the disk returns errors',
  XX001: 'the file of the store is damaged',
  XX002: 'the file of the store is damaged',
}

/** Connection errors, a PostgreSQL server that starts, stops or has too many connections, statement timeouts, and no free file descriptor. */
const UNAVAILABLE_CODE =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE|08\w{3}|57P0\d|57014|53[023]00|25P03)$/
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

/** Returns what is wrong with the disk or the files of the store, or `null` for any other error. */
export function describeDiskFailure(error: unknown): string | null {
  const { code, errcode } = errorCodes(error)
  return sqliteFailures[(errcode ?? 0) & 0xff] ?? diskFailures[code ?? ''] ?? null
}

/** Returns whether the store was unreachable, too slow, or on a disk that is full or fails. The query itself may be correct. */
export function isStoreUnavailable(error: unknown): boolean {
  const { code } = errorCodes(error)
  if (isSqliteBusy(error) || describeDiskFailure(error) !== null) return true
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
