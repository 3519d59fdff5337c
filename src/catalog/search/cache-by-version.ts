import type { DatabaseSync } from 'node:sqlite'
import type { Reuse } from './reuse-tracker.ts'

const NO_REUSE: Reuse = { tryReuse: () => false, now: () => 0 }

/** Returns a function that caches a value of the mirror, and reads it again when the version `name` in the table `state` has changed. */
export function cacheByState<T>(
  database: DatabaseSync,
  name: string,
  read: (database: DatabaseSync) => T,
  reuse: Reuse = NO_REUSE,
): () => T {
  const statement = database.prepare('SELECT value FROM state WHERE name = ?')
  let version: number | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let value: T | undefined
  return () => {
    const current = (statement.get(name) as { value: number } | undefined)?.value ?? 0
    if (value !== undefined && (current === version || reuse.tryReuse(readAt))) return value
    value = read(database)
    version = current
    readAt = reuse.now()
    return value
  }
}

/** Returns a function that caches a value until the sequence number of the catalog in memory changes. It reads no file meanwhile. */
export function cacheBySequence<T>(sequence: () => number, read: () => T): () => T {
  let known: { sequence: number; value: T } | undefined
  return () => {
    if (known?.sequence !== sequence()) known = { sequence: sequence(), value: read() }
    return known.value
  }
}

/** Returns a function that caches a value as long as `reuse` allows, whether it has changed or not. */
export function cacheFor<T>(reuse: Reuse, read: () => T): () => T {
  let readAt = Number.NEGATIVE_INFINITY
  let value: T | undefined
  return () => {
    if (value !== undefined && reuse.tryReuse(readAt)) return value
    value = read()
    readAt = reuse.now()
    // Recorded like a reuse, because the value may change at once and is not checked.
    reuse.tryReuse(readAt)
    return value
  }
}
