import { UpstreamError } from '../errors.ts'
import type { Call } from '../ports/call.ts'
import type { PortName } from '../ports/system.ts'
import { type CachedLoader, createCachedLoader } from './cached-loader.ts'
import { type CallPriority, type Guard, type RunningCall, rejectedCall } from './guard.ts'
import { type BatchCall, type BatchOptions, createRequestBatcher } from './request-batcher.ts'
import type { Caller } from './trace-recorder.ts'
import { createValueCache, type ValueCacheOptions } from './value-cache.ts'

/** A port behind its guard. */
export interface GuardedPort<P> {
  port: P
  guard: Guard
}

export interface ReadStackOptions<K, V> extends ValueCacheOptions<K>, BatchOptions<K> {
  system: PortName
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

/** Calls a port's read behind its guard; fails as `not_configured` where the tenant has no such system. */
export function throughGuard<P, T>(
  system: GuardedPort<P> | undefined,
  operation: string,
  priority: CallPriority,
  { requestId, recorder }: Caller,
  read: (port: P, call: Call) => Promise<T>,
): RunningCall<T> {
  if (!system) return rejectedCall(new UpstreamError('not_configured', 'not there'))
  const { port, guard } = system
  return guard.run({ requestId, recorder, operation, priority, read: true, work: (call) => read(port, call) })
}
