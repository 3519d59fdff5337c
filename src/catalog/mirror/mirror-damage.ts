/** A mirror file cannot be used any more, and must be filled again. */
export class MirrorDamageError extends Error {}

/** Messages of SQLite. Errors that come from a thread have no code. */
const DAMAGE = /malformed|not a database|has another schema version/

/** Returns the error of a mirror file as a {@link MirrorDamageError} if it means damage. */
export const toMirrorError = (error: unknown): unknown =>
  error instanceof Error && DAMAGE.test(error.message) ? new MirrorDamageError(error.message, { cause: error }) : error

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
