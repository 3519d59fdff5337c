import { setTimeout as pause } from 'node:timers/promises'

export interface FlushLoop {
  /** All that is to be written, now. */
  flush(): Promise<void>
  /** Writes what is left, and no more. What cannot be written is tried again for a moment: a busy store is not a store that is away. */
  end(): Promise<void>
}

export interface FlushLoopParts {
  /** Twice a second. */
  everyTick: readonly (() => Promise<void>)[]
  /** Every five seconds. */
  everyTenthTick: readonly (() => Promise<void>)[]
  now: () => number
  onError(error: unknown): void
  timed: boolean
}

const EVERY_MS = 500
const ROUNDS_APART = 10
/** After that, nothing is begun again. */
const ENDING_MS = 2_000
const ENDING_PAUSE_MS = 50
/** A store that stays away is told of once, and then so often. */
const TOLD_EVERY_MS = 60_000

/** Writes in the background, one round after the other. A part that fails is tried again with the next round, and keeps none of the others. */
export function createFlushLoop({
  everyTick: often,
  everyTenthTick: seldom,
  now,
  onError,
  timed,
}: FlushLoopParts): FlushLoop {
  let running: Promise<boolean> | undefined
  let begun = 0
  let toldAt: number | null = null
  const timer = timed ? setInterval(tick, EVERY_MS).unref() : undefined

  function tick(): void {
    if (running) return
    begun += 1
    void run(begun % ROUNDS_APART === 0 ? [...often, ...seldom] : often)
  }

  /** Whether all was written. */
  function run(parts: readonly (() => Promise<void>)[], endsAt?: number): Promise<boolean> {
    running = write(parts, endsAt).finally(() => {
      running = undefined
    })
    return running
  }

  async function write(parts: readonly (() => Promise<void>)[], endsAt = Number.POSITIVE_INFINITY): Promise<boolean> {
    let failed = false
    for (const part of parts) {
      if (failed && performance.now() >= endsAt) return false
      try {
        await part()
      } catch (error) {
        failed = true
        tell(error)
      }
    }
    if (!failed) toldAt = null
    return !failed
  }

  function tell(error: unknown): void {
    if (toldAt !== null && now() - toldAt < TOLD_EVERY_MS) return
    toldAt = now()
    onError(error)
  }

  async function all(endsAt?: number): Promise<boolean> {
    while (running) await running
    return run([...often, ...seldom], endsAt)
  }

  return {
    async flush() {
      await all()
    },
    async end() {
      clearInterval(timer)
      const endsAt = performance.now() + ENDING_MS
      while (!(await all(endsAt)) && performance.now() < endsAt) await pause(ENDING_PAUSE_MS)
    },
  }
}
