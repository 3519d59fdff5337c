import { LRUCache } from 'lru-cache'
import type { ReuseTracker } from './reuse-tracker.ts'

export interface ResultCacheOptions<V> {
  tracker: ReuseTracker
  /** For how long a result may be reused after the catalog has changed. */
  reuseMs: number
  now: () => number
  limits: { max: number } | { maxSize: number; sizeOf(value: V, key: string): number }
}

/** A result, and when it must be made again because it contains older values; `Infinity`: it contains none. */
export interface CachedResult<V> {
  value: V
  until: number
}

/** Returns the result of `work`, or an earlier one with the same key. `sequence`: the sequence number of the catalog. */
export type ResultCache<V extends object> = (key: string, sequence: number, work: () => V) => CachedResult<V>

export function createResultCache<V extends object>(options: ResultCacheOptions<V>): ResultCache<V> {
  const { tracker, reuseMs, now, limits } = options
  const results = new LRUCache<string, CachedResult<V> & { sequence: number; at: number }>(
    'max' in limits
      ? limits
      : { maxSize: limits.maxSize, sizeCalculation: ({ value }, key) => limits.sizeOf(value, key) },
  )
  return (key, sequence, work) => {
    const known = results.get(key)
    if (known && !tracker.hasForgotten(known.at)) {
      const until = known.sequence === sequence ? known.until : Math.min(known.until, known.at + reuseMs)
      if (now() < until) return { value: known.value, until }
    }
    const made = { ...tracker.track(work), sequence, at: now() }
    results.set(key, made)
    return made
  }
}
