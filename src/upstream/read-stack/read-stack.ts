import type { SourceName } from '../../ports/system.ts'
import { type CachedLoader, createCachedLoader } from './cached-loader.ts'
import { type BatchCall, type BatchOptions, createRequestBatcher } from './request-batcher.ts'
import { createValueCache, type ValueCacheOptions } from './value-cache.ts'

export interface ReadStackOptions<K, V> extends ValueCacheOptions<K>, BatchOptions<K> {
  system: SourceName
  /** The call behind the guard; see {@link throughGuard}. */
  call: BatchCall<K, V>
}

/** Composes the layers that every cached read passes: cache → batch and single-flight → guard → port. */
export function createReadStack<K, V>(options: ReadStackOptions<K, V>): CachedLoader<K, V> {
  const { system, idOf, call } = options
  const values = createValueCache<K, V>(options)
  const batcher = createRequestBatcher<K, V>(options, (group, keys, caller) => {
    const { version } = values
    const running = call(group, keys, caller)
    const answer = running.answer.then((found) => {
      for (const key of keys) values.store(group, key, found.get(idOf(key)) ?? null, version)
      return found
    })
    return { answer, abandon: running.abandon, calls: running.calls }
  })
  return createCachedLoader<K, V>({ system, values, batcher, idOf })
}
