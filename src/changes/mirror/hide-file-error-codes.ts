import { MirrorDamageError } from '../../catalog/mirror/file/mirror-damage.ts'

/** Hides the codes of a file's errors, because errors of the store have the same codes and are reported elsewhere. */
export async function hideFileErrorCodes<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof MirrorDamageError) throw error
    throw new Error((error as Error).message, { cause: error })
  }
}
