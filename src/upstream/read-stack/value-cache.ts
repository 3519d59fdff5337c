import type { FairCache } from '../../cache/fair-cache.ts'
import type { Invalidations } from '../../cache/invalidations.ts'

/** A value with the time at which it was current; `null`: the system has no such thing. */
export interface CachedValue<V = unknown> {
  value: V | null
  /** Milliseconds since the epoch. */
  asOf: number
  /** The version of the invalidations when the value was requested. */
  version: number
  /** The time of the first of consecutive responses that said that it does not exist, in milliseconds since the epoch. */
  missingSince?: number
}

/** How long a value is served: while it is fresh, then while it is refreshed in the background, then only when its system fails. */
export interface Freshness {
  freshMs: number
  staleMs: number
  lastGoodMs: number
}

/** An absent product is cached for a few seconds: enough to stop a flood of requests, too short to hide a new product. */
const ABSENT: Freshness = { freshMs: 5_000, staleMs: 0, lastGoodMs: 5_000 }

/** One response does not make a known value absent: the system must say so again after this time. */
const CONFIRM_ABSENCE_MS = 5_000

export interface ValueCacheOptions<K> {
  /** The tenant that owns the values; part of every cache key. */
  tenantKey: string
  /** The kind of the values; part of every cache key. */
  name: string
  cache: FairCache<CachedValue>
  /** The text of a key, different for different keys. */
  idOf(key: K): string
  freshnessOf(key: K): Freshness
  /** Reports, by tag, that a value has changed upstream. Without it, values only expire. */
  invalidation?: { invalidations: Invalidations; tagOf(key: K): string } | undefined
  now: () => number
}

/** The group of values that are the same for every customer. */
export const EVERYBODY = ''

/** The cached values of one kind and one tenant. Each group (a customer, or EVERYBODY) has its own. */
export interface ValueCache<K, V> {
  /** The version to store with what is requested now. */
  readonly version: number
  /** The tag by which a value is invalidated; `null`: it only expires. */
  tagOf(key: K): string | null
  /** A value that may be served without a call. `isStale`: it should be refreshed in the background. */
  servable(group: string, key: K): (CachedValue<V> & { isStale: boolean }) | null
  /** The last-good value, for when its system fails. */
  fallback(group: string, key: K): CachedValue<V> | null
  /** The stored value whatever its age, unless it was purged. */
  lastGood(group: string, key: K): V | null | undefined
  /** The stored value with its time, whatever its age; `null`: there is none, or it was purged. `isServable`: it may be served without a call. */
  peek(group: string, key: K): (CachedValue<V> & { isServable: boolean }) | null
  /** Returns whether the system has said once that the known value does not exist, and has not confirmed it yet. */
  isDoubtful(group: string, key: K): boolean
  /** Stores a value, unless a value that was requested at a later version is there. An absence must be confirmed before it replaces a known value. */
  store(group: string, key: K, value: V | null, version?: number): void
  /** When this value was stored; now, if it is not in the cache. */
  asOf(group: string, key: K, value: V | null): number
}

export function createValueCache<K, V>(options: ValueCacheOptions<K>): ValueCache<K, V> {
  const { cache, tenantKey, name, now, idOf, freshnessOf, invalidation } = options
  const invalidations = invalidation?.invalidations
  const cacheKey = (group: string, key: K) => `${name}\n${group}\n${idOf(key)}`
  const stored = (group: string, key: K) => cache.get(tenantKey, cacheKey(group, key)) as CachedValue<V> | undefined
  const lifetimeOf = (key: K, { value }: CachedValue<V>) => (value === null ? ABSENT : freshnessOf(key))
  const isPurged = (key: K, { version }: CachedValue<V>) =>
    invalidations?.isPurged(invalidation!.tagOf(key), version) ?? false

  const isInvalidated = (key: K, { version }: CachedValue<V>) =>
    invalidations?.isInvalidated(invalidation!.tagOf(key), version) ?? false

  /** Returns whether another response must confirm that this value does not exist. After an invalidation no confirmation is needed. */
  function needsConfirmation(key: K, have: CachedValue<V>): boolean {
    if (have.value === null || isInvalidated(key, have) || isPurged(key, have)) return false
    const isUsable = now() - have.asOf <= freshnessOf(key).lastGoodMs
    return isUsable && Math.abs(now() - (have.missingSince ?? now())) < CONFIRM_ABSENCE_MS
  }

  function servable(group: string, key: K) {
    const have = stored(group, key)
    if (!have || isInvalidated(key, have)) return null
    const ageMs = now() - have.asOf
    const { freshMs, staleMs } = lifetimeOf(key, have)
    // A value of the future was stored before the clock was set back: its age is unknown.
    if (ageMs < 0 || ageMs >= freshMs + staleMs) return null
    return { ...have, isStale: ageMs >= freshMs }
  }

  return {
    get version() {
      return invalidations?.version ?? 0
    },
    tagOf: (key) => invalidation?.tagOf(key) ?? null,
    servable,
    peek(group, key) {
      const have = stored(group, key)
      if (!have || isPurged(key, have)) return null
      return { ...have, isServable: servable(group, key) !== null }
    },
    fallback(group, key) {
      const have = stored(group, key)
      if (!have || isPurged(key, have)) return null
      return now() - have.asOf > lifetimeOf(key, have).lastGoodMs ? null : have
    },
    lastGood(group, key) {
      const have = stored(group, key)
      return have && !isPurged(key, have) ? have.value : undefined
    },
    isDoubtful: (group, key) => stored(group, key)?.missingSince !== undefined,
    store(group, key, value, version = invalidations?.version ?? 0) {
      const have = stored(group, key)
      if ((have?.version ?? 0) > version) return
      const next =
        value === null && have && needsConfirmation(key, have)
          ? { ...have, missingSince: have.missingSince ?? now() }
          : { value, asOf: now(), version }
      cache.set(tenantKey, cacheKey(group, key), next, heapBytesOf(next.value))
    },
    asOf(group, key, value) {
      const have = stored(group, key)
      return have?.value === value ? have.asOf : now()
    },
  }
}

/** A JSON-like value takes about twice its text on the heap. */
function heapBytesOf(value: unknown): number {
  return value === null ? 0 : JSON.stringify(value).length * 2
}
