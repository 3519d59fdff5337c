import { setFlagsFromString } from 'node:v8'

/** Given to node where Forecourt is started: a young generation that does not grow to a hundred megabytes. */
export const nodeFlags = ['--max-semi-space-size=16'] as const

/** Of the memory configured for caches, what they hold at rest; the rest is room for what V8 has not collected yet. */
const HELD_SHARE = 0.4
/** What the process may take beside its caches, and where in that room it starts, and stops, to be frugal. */
const BESIDE_BYTES = { tight: 90e6, easy: 70e6 }
const LOOK_EVERY_MS = 250
/** How much V8 lets the heap grow between two full collections, in percent; 0 is its own choice, which is faster and may double it. */
const GROWTH = { tight: 10, easy: 0 }

export interface HeldMemory extends Disposable {
  /** The bytes that caches may hold. */
  heldBytes: number
}

/**
 * Makes a cap on cached bytes a cap on memory: while the process is well below the cap and what it needs beside, V8 collects
 * as it likes; near it, often. A heap full of cached values would else be allowed to fill with as much garbage again.
 */
export function holdMemory(capBytes: number): HeldMemory {
  let tight = false
  const look = () => {
    const beside = process.memoryUsage.rss() - capBytes
    const wanted = tight ? beside > BESIDE_BYTES.easy : beside > BESIDE_BYTES.tight
    if (wanted === tight) return
    tight = wanted
    setFlagsFromString(`--heap-growing-percent=${tight ? GROWTH.tight : GROWTH.easy}`)
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { heldBytes: Math.floor(capBytes * HELD_SHARE), [Symbol.dispose]: () => clearInterval(timer) }
}
