import { setFlagsFromString } from 'node:v8'

/** Given to node where Forecourt is started: a young generation that does not grow to a hundred megabytes. */
export const nodeFlags = ['--max-semi-space-size=16'] as const

/** Of the memory configured for caches, what they hold at rest; the rest is room for what V8 has not collected yet. */
const HELD_SHARE = 0.4
/** What the process may take beside its caches, less a reserve: V8 does not always keep to what it is told. */
const BESIDE_BYTES = 155e6
/** What a process was seen to take beside its caches at the most. */
const MOST_BESIDE_BYTES = 200e6
export const MEMORY_CHECK_INTERVAL_MS = 250
/** How much V8 lets the heap grow between two full collections, in percent, where room is scarce. */
const LEAST_GROWTH = 10

export interface MemoryLimit extends Disposable {
  /** The bytes that caches may hold. */
  cacheBytes: number
}

/**
 * Makes a cap on cached bytes a cap on memory: V8 collects as it likes while the heap has room to double twice below the cap and what the
 * process needs beside; after that the heap may grow between two collections by half the room there is. A heap full of cached values would else
 * be allowed to fill with as much garbage again.
 */
export function limitMemory(capBytes: number): MemoryLimit {
  let allowed = 0
  const look = () => {
    const seen = usage()
    if (!seen) return
    const { rss, heapTotal } = seen
    const share = Math.floor(((capBytes + BESIDE_BYTES - rss) / heapTotal / 2) * 100)
    // 0 is V8's own choice.
    const growth = share >= 100 ? 0 : Math.max(share, LEAST_GROWTH)
    if (growth === allowed) return
    allowed = growth
    setFlagsFromString(`--heap-growing-percent=${growth}`)
  }
  const timer = setInterval(look, MEMORY_CHECK_INTERVAL_MS).unref()
  return { cacheBytes: Math.floor(capBytes * HELD_SHARE), [Symbol.dispose]: () => clearInterval(timer) }
}

/** `null`: it cannot be told, as when the process has no file descriptor left. */
function usage(): NodeJS.MemoryUsage | null {
  try {
    return process.memoryUsage()
  } catch {
    return null
  }
}

/** What a process takes at the most, with caches of that many bytes. */
export const expectedProcessBytes = (capBytes: number) => capBytes + MOST_BESIDE_BYTES
