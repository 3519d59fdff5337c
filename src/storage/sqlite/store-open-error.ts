/** Returns the error of a store that cannot be opened, with a remedy. */
export function toStoreOpenError(path: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const remedy = 'Set FORECOURT_DATA to a directory that this account can write to, or restore a backup of the store'
  return new Error(`The store ${path} cannot be opened (${reason}). ${remedy}.`, { cause })
}
