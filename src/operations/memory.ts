import { setFlagsFromString } from 'node:v8'

/** Given to node where Forecourt is started: a young generation that does not grow to a hundred megabytes. */
export const nodeFlags = ['--max-semi-space-size=8'] as const

/** Of the memory configured for caches, what they hold at rest; the rest is room for what V8 has not collected yet. */
const HELD_SHARE = 0.6
/** V8 lets a heap full of kept values grow by more than half of itself between two full collections. */
const HEAP_GROWING_PERCENT = 25

/** Makes a cap on cached bytes a cap on memory, within what the process takes without them; tells the bytes that may be held. */
export function holdMemory(capBytes: number): number {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
  return Math.floor(capBytes * HELD_SHARE)
}
