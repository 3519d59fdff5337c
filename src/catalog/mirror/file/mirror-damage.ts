/** A mirror file cannot be used any more, and must be filled again. */
export class MirrorDamageError extends Error {}

/** The file belongs to another store, or to an earlier state of it. */
export const OTHER_IDS = 'the mirror file has other ids than the store'

/** Messages of SQLite and of this folder. Errors that come from a thread have no code. */
const DAMAGE = new RegExp(`malformed|not a database|has another schema version|constraint failed|${OTHER_IDS}`)

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
