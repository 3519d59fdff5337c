import { UpstreamError } from '../../errors.ts'
import type { SourceName } from '../../ports/system.ts'
import { type LeaveListener, leaveError, type RequestScope } from '../request/request-scope.ts'
import { simulatedFailure } from '../request/requested-faults.ts'
import type { BatchResult, RequestBatcher, Waiter } from './request-batcher.ts'
import type { ValueCache } from './value-cache.ts'

/** One value of a section. `error` with a value: a last-good value; `error` with `null`: there is no value to serve. */
export interface LoadResult<V> {
  value: V | null
  error: UpstreamError | null
  /** The time at which the value was current, in milliseconds since the epoch. */
  asOf: number
  /** The system that the value comes from. */
  system?: SourceName
  /** The value comes from the catalog mirror. */
  mirrored?: true
}

export interface CachedLoaderOptions<K, V> {
  system: SourceName
  values: ValueCache<K, V>
  batcher: RequestBatcher<K, V>
  idOf(key: K): string
}

/** Serves values from the cache where it may, and waits for the others within the request's deadline. Nothing here rejects. */
export interface CachedLoader<K, V> {
  /** Loads the values of these keys, in their order. Each result has its own error. */
  load(group: string, keys: readonly K[], scope: RequestScope): Promise<LoadResult<V>[]>
  loadOne(group: string, key: K, scope: RequestScope): Promise<LoadResult<V>>
  /** Stores a value that came with another response. `version`: the version of the invalidations when that response was requested. */
  store(group: string, key: K, value: V | null, version?: number): void
  /** The stored value whatever its age, unless it was purged. */
  lastGood(group: string, key: K): V | null | undefined
  /** The stored value with its time; nothing is called, and nothing refreshed. */
  peek: ValueCache<K, V>['peek']
  /** After an invalidation: later callers do not join what is in flight. */
  detachInFlight(): void
}

/** A key that has to be read, and its positions in the response. */
interface Missing<K> {
  key: K
  positions: number[]
}

export function createCachedLoader<K, V>(options: CachedLoaderOptions<K, V>): CachedLoader<K, V> {
  const { system, values, batcher, idOf } = options

  function fromCache(group: string, key: K, requestId: string): LoadResult<V> | null {
    const have = values.servable(group, key)
    if (!have) return null
    if (have.isStale) batcher.join(group, key, null, { requestId })
    return { value: have.value, error: null, asOf: have.asOf, system }
  }

  function toResult(group: string, key: K, { value, error: failure }: BatchResult<V>): LoadResult<V> {
    const error = failure ?? (value === null && values.isDoubtful(group, key) ? unconfirmedAbsence() : null)
    // With the stored time, so that a later read from the cache returns the same time.
    if (!error) return { value, error: null, asOf: values.asOf(group, key, value), system }
    error.system ??= system
    const lastGood = values.fallback(group, key)
    // For a page that reads two systems, the error names the one that failed.
    if (!lastGood) return { value: null, error, asOf: 0, system: error.system }
    if (lastGood.value === null) return { value: null, error: null, asOf: lastGood.asOf, system }
    return { value: lastGood.value, error, asOf: lastGood.asOf, system: error.system }
  }

  /** Waits until every missing key has its result, or the request ends. */
  function waitFor(group: string, missing: Map<string, Missing<K>>, results: LoadResult<V>[], scope: RequestScope) {
    return new Promise<LoadResult<V>[]>((done) => {
      const settle = (id: string, result: BatchResult<V>) => {
        const found = missing.get(id)
        if (!found) return
        for (const call of result.calls) scope.calls.add(call)
        const value = toResult(group, found.key, result)
        for (const position of found.positions) results[position] = value
        missing.delete(id)
        if (missing.size > 0) return
        scope.offLeave(onLeave)
        done(results)
      }
      const waiter: Waiter<V> = { resolve: settle }
      const onLeave: LeaveListener = (outOfTime) => {
        const error = leaveError(system, outOfTime)
        for (const [id, { key }] of [...missing]) {
          const calls = [...batcher.leave(group, key, waiter, outOfTime)]
          // The system whose response it waited for in the end.
          error.system ??= calls.at(-1)?.system ?? null
          settle(id, { value: null, error, calls })
        }
      }
      scope.onLeave(onLeave)
      for (const { key } of [...missing.values()]) batcher.join(group, key, waiter, scope)
    })
  }

  function unconfirmedAbsence(): UpstreamError {
    const cause = 'a known value was missing from the response'
    return new UpstreamError('invalid', `${system}: ${cause}`, { summary: cause })
  }

  async function load(group: string, keys: readonly K[], scope: RequestScope): Promise<LoadResult<V>[]> {
    const fault = scope.faults[system]
    if (fault) return keys.map(() => ({ value: null, error: simulatedFailure(fault, system), asOf: 0, system }))
    const results = new Array<LoadResult<V>>(keys.length)
    const missing = new Map<string, Missing<K>>()
    for (const [position, key] of keys.entries()) {
      const tag = values.tagOf(key)
      if (tag !== null) scope.tags.add(tag)
      const id = idOf(key)
      const already = missing.get(id)
      const cached = already ? null : fromCache(group, key, scope.requestId)
      if (already) already.positions.push(position)
      else if (cached) results[position] = cached
      else missing.set(id, { key, positions: [position] })
    }
    return missing.size === 0 ? results : waitFor(group, missing, results, scope)
  }

  return {
    load,
    loadOne: async (group, key, scope) => (await load(group, [key], scope))[0]!,
    store: values.store,
    lastGood: values.lastGood,
    peek: values.peek,
    detachInFlight: batcher.detachInFlight,
  }
}
