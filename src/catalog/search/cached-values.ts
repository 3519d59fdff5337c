import type { DatabaseSync } from 'node:sqlite'

/** For how long a cached value may be reused after it has changed. */
export interface ReuseOptions {
  reuseMs: number
  now: () => number
}

/** Returns a function that caches a value of the mirror, and reads it again when the version `name` in the table `state` has changed. */
export function cacheByState<T>(
  database: DatabaseSync,
  name: string,
  read: (database: DatabaseSync) => T,
  { reuseMs, now }: ReuseOptions = { reuseMs: 0, now: () => 0 },
): () => T {
  const statement = database.prepare('SELECT value FROM state WHERE name = ?')
  let version: number | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let value: T | undefined
  return () => {
    if (value !== undefined && now() - readAt < reuseMs) return value
    const current = (statement.get(name) as { value: number } | undefined)?.value ?? 0
    if (value === undefined || current !== version) value = read(database)
    version = current
    readAt = now()
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
