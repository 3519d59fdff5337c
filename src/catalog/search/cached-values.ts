import type { DatabaseSync } from 'node:sqlite'

/** Reads something again when the file says that it has changed. */
export function cacheByState<T>(database: DatabaseSync, name: string, read: (database: DatabaseSync) => T): () => T {
  const statement = database.prepare('SELECT value FROM state WHERE name = ?')
  let version: number | undefined
  let value: T | undefined
  return () => {
    const current = (statement.get(name) as { value: number } | undefined)?.value ?? 0
    if (value === undefined || current !== version) value = read(database)
    version = current
    return value
  }
}

/** Reads something again when it is older than that. */
export function cacheFor<T>(ttlMs: number, now: () => number, read: () => T): () => T {
  let readAt = Number.NEGATIVE_INFINITY
  let value: T | undefined
  return () => {
    if (value === undefined || now() - readAt > ttlMs) {
      value = read()
      readAt = now()
    }
    return value
  }
}
