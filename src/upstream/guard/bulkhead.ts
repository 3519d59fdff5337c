import pLimit from 'p-limit'
import type { CallPlaces } from '../concurrency-limits/call-places.ts'

/** Limits the concurrent calls to a system. */
export interface Bulkhead {
  /** The number of free places. */
  readonly free: number
  /** The number of places. */
  readonly size: number
  /** Runs the work in the next free place. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** What else a bulkhead's calls take a place in. */
export interface BulkheadOptions {
  /** A bulkhead whose size the calls of both together never exceed. */
  within?: Bulkhead
  /** The places that other processes take, too. */
  shared?: CallPlaces | undefined
}

export function createBulkhead(size: number, { within, shared }: BulkheadOptions = {}): Bulkhead {
  const limit = pLimit(size)
  let running = 0

  async function hold<T>(work: () => Promise<T>): Promise<T> {
    running += 1
    try {
      return await work()
    } finally {
      running -= 1
    }
  }

  async function share<T>(places: CallPlaces, work: () => Promise<T>): Promise<T> {
    const place = places.take()
    if (place) await place
    try {
      return await work()
    } finally {
      places.leave()
    }
  }

  function enter<T>(work: () => Promise<T>): Promise<T> {
    if (within) return within.run(() => hold(work))
    return shared ? share(shared, () => hold(work)) : hold(work)
  }

  return {
    size,
    get free() {
      return Math.min(size - running, within?.free ?? shared?.free ?? size)
    },
    run: (work) => limit(() => enter(work)),
  }
}
