/** A mirror file cannot be used any more, and must be filled again. */
export class MirrorDamageError extends Error {}

/** The file belongs to another store, or to an earlier state of it. */
export const OTHER_IDS_DAMAGE = 'the mirror file has other ids than the store'

/** SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes. */
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26])
/** SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ and SQLITE_IOERR_CORRUPTFS. Other errors of the disk may end, such as those of a full one. */
const DAMAGE_EXTENDED_CODES: ReadonlySet<number> = new Set([266, 522, 8458])
/** Begins the message of damage that was found in a thread: an error that comes from there has neither a class nor a code. */
const IN_THREAD = 'the mirror file is damaged: '

function isDamage(error: Error): boolean {
  const { errcode = 0 } = error as { errcode?: number }
  return DAMAGE_CODES.has(errcode & 0xff) || DAMAGE_EXTENDED_CODES.has(errcode) || error.message.startsWith(IN_THREAD)
}

/** Returns the error of a mirror file as a {@link MirrorDamageError} if it means damage. All other errors are faults of the program, or temporary. */
export function toMirrorError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MirrorDamageError || !isDamage(error)) return error
  const { message } = error
  return new MirrorDamageError(message.startsWith(IN_THREAD) ? message.slice(IN_THREAD.length) : message, {
    cause: error,
  })
}

/** Wraps a function that reads or writes a mirror file, so that damage is a {@link MirrorDamageError}. */
export const namingDamage =
  <Args extends unknown[], T>(work: (...args: Args) => T) =>
  (...args: Args): T => {
    try {
      return work(...args)
    } catch (error) {
      throw toMirrorError(error)
    }
  }

/** Wraps a function that runs in a thread, so that {@link toMirrorError} recognizes damage outside of it. */
export const reportingDamage =
  <Args extends unknown[], T>(work: (...args: Args) => T) =>
  (...args: Args): T => {
    try {
      return work(...args)
    } catch (error) {
      const found = toMirrorError(error)
      throw found instanceof MirrorDamageError ? new Error(IN_THREAD + found.message, { cause: error }) : error
    }
  }
