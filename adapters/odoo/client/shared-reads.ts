import type { Call } from '../../../src/ports/call.ts'
import { raceWithAbort } from '../../race-with-abort.ts'
import { runSharedLoad, SHARED_LOAD_TIMEOUT_MS } from '../../shared-load.ts'

/**
 * Returns a reader that sends one request for all callers who read the same at the same time: the ports for prices and
 * taxes read the same products and the same customer. Nothing is kept after the response.
 */
export function createSharedReader<Args extends unknown[], T>(read: (call: Call, ...args: Args) => Promise<T>) {
  const running = new Map<string, Promise<T>>()
  return (call: Call, ...args: Args): Promise<T> => {
    const key = JSON.stringify(args)
    const shared =
      running.get(key) ??
      runSharedLoad(call.requestId, SHARED_LOAD_TIMEOUT_MS, (own) => read(own, ...args)).finally(() =>
        running.delete(key),
      )
    running.set(key, shared)
    return raceWithAbort(shared, call)
  }
}
