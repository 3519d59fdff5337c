import { UpstreamError } from '../../errors.ts'
import type { RunningCall } from '../guard/guard.ts'
import type { CallTrace } from '../request/call-trace.ts'
import type { CallingRequest } from '../request/calling-request.ts'

/** How long a read of SKUs waits for others to share its call. */
export const BATCH_WINDOW_MS = 1

export type BatchResult<V> = ({ value: V | null; error: null } | { value: null; error: UpstreamError }) & {
  /** The calls that were made for it. */
  calls: Iterable<CallTrace>
}

/** Reads many keys of one group in one call. The response maps ids to values; an id that is missing has no value. */
export type BatchCall<K, V> = (group: string, keys: K[], caller: CallingRequest) => RunningCall<Map<string, V>>

export interface Waiter<V> {
  resolve(id: string, result: BatchResult<V>): void
}

export interface BatchOptions<K> {
  /** How long a batch waits for other keys; 0 sends it in the same tick. */
  windowMs: number
  /** The maximum number of keys in a batch. Keys with the same `weightOf` count as one. */
  maxKeys: number
  idOf(key: K): string
  weightOf?(key: K): string
}

interface Batch<K, V> {
  group: string
  keys: Map<string, K>
  /** How many keys each thing that counts against `maxKeys` has. */
  weights: Map<string, number>
  waiters: Map<string, Set<Waiter<V>>>
  caller: CallingRequest
  /** A background refresh: it continues although no request waits for it. */
  isBackground: boolean
  running: RunningCall<Map<string, V>> | null
}

/**
 * Batching and single-flight in one. A key that is already in flight is joined; other keys gather for a moment and are read together.
 * Waiters are counted. A waiter that leaves does not affect the others, and the upstream call is abandoned when the last has left.
 * Only calls in flight are shared: a value or failure that has arrived is never handed to a later caller.
 */
export interface RequestBatcher<K, V> {
  /** Waits for a key. Without a waiter, refreshes it in the background. */
  join(group: string, key: K, waiter: Waiter<V> | null, caller: CallingRequest): void
  /** `outOfTime`: the waiter's deadline has passed. Returns the calls that it waited for. */
  leave(group: string, key: K, waiter: Waiter<V>, outOfTime?: boolean): Iterable<CallTrace>
  /** Later callers do not join the calls in flight. These still resolve for their waiters. */
  detachInFlight(): void
}

export function createRequestBatcher<K, V>(options: BatchOptions<K>, call: BatchCall<K, V>): RequestBatcher<K, V> {
  const inFlight = new Map<string, Batch<K, V>>()
  const gathering = new Map<string, Batch<K, V>>()
  const detached = new Set<Batch<K, V>>()
  const { idOf, weightOf = idOf } = options
  const flightKey = (group: string, id: string) => `${group}\n${id}`

  function gather(group: string, key: K, caller: CallingRequest): Batch<K, V> {
    const open = gathering.get(group)
    if (open && (open.weights.size < options.maxKeys || open.weights.has(weightOf(key)))) return open
    if (open) send(open)
    const batch: Batch<K, V> = {
      group,
      keys: new Map(),
      weights: new Map(),
      waiters: new Map(),
      caller,
      isBackground: false,
      running: null,
    }
    gathering.set(group, batch)
    if (options.windowMs === 0) queueMicrotask(() => send(batch))
    else setTimeout(send, options.windowMs, batch)
    return batch
  }

  function add(batch: Batch<K, V>, key: K): void {
    const id = idOf(key)
    const weight = weightOf(key)
    batch.keys.set(id, key)
    batch.weights.set(weight, (batch.weights.get(weight) ?? 0) + 1)
    inFlight.set(flightKey(batch.group, id), batch)
  }

  function send(batch: Batch<K, V>): void {
    if (batch.running !== null) return
    if (gathering.get(batch.group) === batch) gathering.delete(batch.group)
    if (batch.keys.size === 0) return
    const running = call(batch.group, [...batch.keys.values()], batch.caller)
    batch.running = running
    running.answer.then(
      (values) => resolve(batch, (id) => ({ value: values.get(id) ?? null, error: null, calls: running.calls })),
      (error) => resolve(batch, () => ({ value: null, error: toUpstreamError(error), calls: running.calls })),
    )
  }

  function resolve(batch: Batch<K, V>, resultOf: (id: string) => BatchResult<V>): void {
    detached.delete(batch)
    for (const id of batch.keys.keys()) {
      const key = flightKey(batch.group, id)
      if (inFlight.get(key) === batch) inFlight.delete(key)
      const result = resultOf(id)
      for (const waiter of batch.waiters.get(id) ?? []) waiter.resolve(id, result)
    }
    batch.waiters.clear()
  }

  /** Nobody waits for this key any longer. */
  function drop(batch: Batch<K, V>, key: K, outOfTime: boolean): void {
    const id = idOf(key)
    batch.waiters.delete(id)
    if (batch.isBackground) return
    const flight = flightKey(batch.group, id)
    if (inFlight.get(flight) === batch) inFlight.delete(flight)
    if (batch.running !== null) {
      if (batch.waiters.size === 0) batch.running.abandon(outOfTime)
      return
    }
    batch.keys.delete(id)
    const weight = weightOf(key)
    const left = batch.weights.get(weight)! - 1
    if (left > 0) batch.weights.set(weight, left)
    else batch.weights.delete(weight)
  }

  return {
    join(group, key, waiter, caller) {
      const id = idOf(key)
      let batch = inFlight.get(flightKey(group, id))
      if (!batch) {
        batch = gather(group, key, caller)
        add(batch, key)
      }
      if (waiter === null) {
        batch.isBackground = true
        return
      }
      // The caller of a batch is a request that waits for it, not one that started a background refresh.
      if (batch.running === null && batch.waiters.size === 0) batch.caller = caller
      const waiters = batch.waiters.get(id)
      if (waiters) waiters.add(waiter)
      else batch.waiters.set(id, new Set([waiter]))
    },
    leave(group, key, waiter, outOfTime = false) {
      const id = idOf(key)
      const waitsIn = (one: Batch<K, V> | undefined) => one?.group === group && one.waiters.get(id)?.has(waiter)
      const joined = inFlight.get(flightKey(group, id))
      const batch = waitsIn(joined) ? joined : detached.values().find(waitsIn)
      const waiters = batch?.waiters.get(id)
      if (!batch || !waiters?.delete(waiter)) return []
      if (waiters.size === 0) drop(batch, key, outOfTime)
      return batch.running?.calls ?? []
    },
    detachInFlight() {
      for (const [key, batch] of inFlight) {
        if (batch.running === null) continue
        inFlight.delete(key)
        detached.add(batch)
      }
    },
  }
}

function toUpstreamError(error: unknown): UpstreamError {
  return error instanceof UpstreamError ? error : new UpstreamError('error', String(error), { cause: error })
}
