import pLimit from 'p-limit'

/** Limits the concurrent calls to a system. */
export interface Bulkhead {
  /** The number of free places. */
  readonly free: number
  /** The number of places. */
  readonly size: number
  /** Runs the work in the next free place. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Creates a bulkhead. Its calls also take a place in `within`, so that both together never exceed the size of `within`. */
export function createBulkhead(size: number, within?: Bulkhead): Bulkhead {
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

  return {
    size,
    get free() {
      return Math.min(size - running, within?.free ?? size)
    },
    run: (work) => limit(() => (within ? within.run(() => hold(work)) : hold(work))),
  }
}
