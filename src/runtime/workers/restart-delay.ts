/** A worker that lived this long did not fail because of how it starts. */
const STABLE_MS = 10_000
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 15_000

/** How long to wait before a worker is started again: not at all the first time, then longer each time, up to 15 seconds. */
export interface RestartDelays {
  /** Returns the delay after a worker with this number has ended. */
  next(worker: number, livedMs: number): number
}

export function createRestartDelays(): RestartDelays {
  const failures = new Map<number, number>()
  return {
    next(worker, livedMs) {
      const earlier = livedMs >= STABLE_MS ? 0 : (failures.get(worker) ?? 0)
      failures.set(worker, earlier + 1)
      return earlier === 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (earlier - 1))
    },
  }
}
