import type { DatabaseSync } from 'node:sqlite'

/** Returns a function that caches a value of the mirror, and reads it again when the version `name` in the table `state` has changed. */
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

/** Returns a function that caches a value for `ttlMs`. */
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
