import type { DatabaseSync } from 'node:sqlite'

/** Allows old values for a while, so that a catalog that changes all the time is not read again for each search. */
export interface Reuse {
  /** Returns whether a value that was read at `readAt` may be used although it has changed since, and records that it is. */
  tryReuse(readAt: number): boolean
  now(): number
}

/** Remembers which old values one search has used. */
export interface ReuseTracker {
  /** `reuseMs`: for how long a value may be used after it was read. */
  during(reuseMs: number): Reuse
  /** Returns the result of `work`, and until when it holds; `Infinity`: no old value was used. */
  track<T>(work: () => T): { value: T; until: number }
}

export function createReuseTracker(now: () => number): ReuseTracker {
  let until = Number.POSITIVE_INFINITY
  return {
    during: (reuseMs) => ({
      now,
      tryReuse(readAt) {
        if (now() - readAt >= reuseMs) return false
        until = Math.min(until, readAt + reuseMs)
        return true
      },
    }),
    track(work) {
      until = Number.POSITIVE_INFINITY
      const value = work()
      return { value, until }
    },
  }
}

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

/** Returns a function that caches a value as long as `reuse` allows, whether it has changed or not. */
export function cacheFor<T>(reuse: Reuse, read: () => T): () => T {
  let readAt = Number.NEGATIVE_INFINITY
  let value: T | undefined
  return () => {
    if (value !== undefined && reuse.tryReuse(readAt)) return value
    value = read()
    readAt = reuse.now()
    // It may change at once, and nobody looks.
    reuse.tryReuse(readAt)
    return value
  }
}
