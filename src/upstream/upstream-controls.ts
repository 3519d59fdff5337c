import type { FairCache } from '../cache/fair-cache.ts'
import { type Invalidations, LISTS_TAG } from '../cache/invalidations.ts'
import type { CircuitName } from '../ports/circuit-name.ts'
import type { BreakerState, CircuitHold } from './guard/circuit-breaker.ts'
import type { Guard } from './guard/guard.ts'
import type { SharedCircuit } from './guard/shared-circuit.ts'
import type { CachedValue } from './read-stack/value-cache.ts'

export interface UpstreamControlsParts {
  tenantKey: string
  cache: FairCache<CachedValue>
  invalidations: Invalidations
  guards: { [C in CircuitName]?: Guard | undefined }
  readers: readonly { detachInFlight(): void }[]
}

/** Controls a tenant's cached values and circuits, for the change feed and for operators. */
export interface UpstreamControls {
  /** Invalidates these SKUs after a change upstream: values that were requested earlier are not served. `lists`: also all lists and searches. */
  invalidate(skus: readonly string[] | 'all', lists: boolean): void
  /** Deletes the cached values of these SKUs and all lists, or (`null`) everything, last-good values included. */
  purge(skus: readonly string[] | null): void
  states(): Partial<Record<CircuitName, BreakerState>>
  /** Returns which systems rejected every recent call. */
  rejectingSystems(): Partial<Record<CircuitName, true>>
  /** Returns the circuits that operators hold now. */
  holds(): Partial<Record<CircuitName, CircuitHold>>
  /** Returns the circuits, for the code that shares their states with other processes. */
  circuits(): Partial<Record<CircuitName, SharedCircuit>>
  /** Holds a circuit open or closed; `null` ends the hold. Returns false if there is no such circuit. */
  hold(circuit: CircuitName, hold: CircuitHold | null): boolean
}

export function createUpstreamControls(parts: UpstreamControlsParts): UpstreamControls {
  const { tenantKey, cache, invalidations, guards, readers } = parts

  function detachInFlight(): void {
    for (const reader of readers) reader.detachInFlight()
  }

  const perCircuit = <T>(read: (guard: Guard) => T | undefined): Partial<Record<CircuitName, T>> =>
    Object.fromEntries(
      Object.entries(guards).flatMap(([circuit, guard]) => {
        const found = guard && read(guard)
        return found === undefined ? [] : [[circuit, found]]
      }),
    )

  return {
    invalidate(skus, lists) {
      if (skus === 'all') invalidations.invalidateAll()
      else invalidations.invalidate(lists ? [...skus, LISTS_TAG] : skus)
      detachInFlight()
    },
    purge(skus) {
      if (skus === null) cache.clear(tenantKey)
      invalidations.purge(skus && [...skus, LISTS_TAG])
      detachInFlight()
    },
    states: () => perCircuit((guard) => guard.state),
    rejectingSystems: () => perCircuit((guard) => guard.rejectsCalls || undefined),
    holds: () => perCircuit((guard) => guard.held ?? undefined),
    circuits: () => perCircuit((guard) => guard.shared),
    hold(circuit, hold) {
      guards[circuit]?.hold(hold)
      return guards[circuit] !== undefined
    },
  }
}
