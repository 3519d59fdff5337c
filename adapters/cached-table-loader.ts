import { createSingleFlight } from '../src/lifecycle/single-flight.ts'
import type { Call } from '../src/ports/call.ts'
import { raceWithAbort } from './race-with-abort.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS } from './shared-load.ts'

/**
 * Returns a loader that caches a small table for `maxAgeMs` and loads it once for all concurrent callers. A failed load
 * is not cached: its callers get the error, and the next caller tries again.
 */
export function createCachedTableLoader<T>(
  load: (call: Call) => Promise<T>,
  options: { maxAgeMs: number; now: () => number },
) {
  let cached: { value: T; at: number } | undefined
  const flight = createSingleFlight(async ({ requestId }: Call) => {
    const value = await runSharedLoad(requestId, SHARED_LOAD_TIMEOUT_MS, load)
    cached = { value, at: options.now() }
    return value
  })
  return (call: Call): Promise<T> => {
    if (cached && options.now() - cached.at < options.maxAgeMs)
      return raceWithAbort(Promise.resolve(cached.value), call)
    return raceWithAbort(flight.run(call), call)
  }
}
