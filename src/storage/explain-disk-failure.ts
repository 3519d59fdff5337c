import { isPostgres, redactStoreAddress } from '../config/store-address.ts'
import { describeDiskFailure } from './store-errors.ts'

/** Returns an error that names the store and a remedy, if the disk or the files of the store are the cause; any other error as it is. */
export function explainDiskFailure(error: unknown, store: string): unknown {
  // An error while closing hides the first one.
  if (error instanceof SuppressedError) return explainDiskFailure(error.suppressed, store)
  const reason = describeDiskFailure(error)
  if (reason === null) return error
  const remedy = isPostgres(store)
    ? 'Free space on the disk of PostgreSQL, or check its log'
    : 'Free space on its disk, check the limit of the file size (ulimit -f), or set FORECOURT_DATA to a folder elsewhere'
  const { message } = error as Error
  return new Error(`The store ${redactStoreAddress(store)} cannot be used: ${reason} (${message}). ${remedy}.`, {
    cause: error,
  })
}
