import { setFlagsFromString } from 'node:v8'

/** The share of the memory configured for caches that they fill; the rest is for garbage that V8 has not collected yet. */
const FILLED_SHARE = 0.4
/** Memory of the process besides its caches, less a reserve: V8 may exceed the growth that it is given. */
const NON_CACHE_BYTES = 155e6
/** The most memory that a process was measured to take besides its caches. */
const MAX_NON_CACHE_BYTES = 200e6
/** The memory of the two threads of the mirrors, with the columns of half a million products. */
const MIRROR_THREAD_BYTES = 150e6
const mirrorThreadBytes = (hasMirrors: boolean) => (hasMirrors ? MIRROR_THREAD_BYTES : 0)
export const MEMORY_CHECK_INTERVAL_MS = 250
/** How much the heap may grow between two full collections where memory is scarce. */
const MIN_GROWTH_PERCENT = 10

export interface MemoryLimit extends Disposable {
  /** The most that the caches may fill. */
  cacheBytes: number
}

/**
 * Makes a limit on cached bytes a limit on memory. V8 collects as it likes while the heap can double twice below the limit; beyond that, the
 * heap may grow between two collections by half of the memory left. Otherwise a heap full of cached values could fill with as much garbage.
 */
export function limitMemory(capBytes: number, { hasMirrors = false } = {}): MemoryLimit {
  const limitBytes = toHeapLimit(capBytes, hasMirrors)
  let currentPercent = 0
  const adjust = () => {
    const usage = readMemoryUsage()
    if (!usage) return
    const growthPercent = toGrowthPercent(limitBytes, usage)
    if (growthPercent === currentPercent) return
    currentPercent = growthPercent
    setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  }
  const timer = setInterval(adjust, MEMORY_CHECK_INTERVAL_MS).unref()
  return { cacheBytes: Math.floor(capBytes * FILLED_SHARE), [Symbol.dispose]: () => clearInterval(timer) }
}

/** Returns the memory of the process up to which the heap may grow. */
export const toHeapLimit = (capBytes: number, hasMirrors: boolean) =>
  capBytes + NON_CACHE_BYTES + mirrorThreadBytes(hasMirrors)

/** Returns how much the heap may grow between two full collections; 0 leaves the growth to V8. */
export function toGrowthPercent(
  limitBytes: number,
  { rss, heapTotal }: Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal'>,
): number {
  const percent = Math.floor(((limitBytes - rss) / heapTotal / 2) * 100)
  return percent >= 100 ? 0 : Math.max(percent, MIN_GROWTH_PERCENT)
}

/** `null` when it cannot be read, as when the process has no file descriptor left. */
function readMemoryUsage(): NodeJS.MemoryUsage | null {
  try {
    return process.memoryUsage()
  } catch {
    return null
  }
}

/** Returns the most memory that a process with caches of that many bytes takes. */
export const expectedProcessBytes = (capBytes: number, hasMirrors: boolean) =>
  capBytes + MAX_NON_CACHE_BYTES + mirrorThreadBytes(hasMirrors)
