import { setTimeout as pause } from 'node:timers/promises'
import { throttleLog } from '../../lifecycle/log-throttle.ts'
import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import { BACKGROUND_STOP_TIMEOUT_MS } from '../../lifecycle/wait-up-to.ts'

/** Writes one buffer to the store. */
type Writer = () => Promise<void>

export interface FlushLoop {
  /** Writes everything now. */
  flush(): Promise<void>
  /** Writes what is left and stops. Failed writes are retried for a moment, since a busy store is not an unreachable one. */
  end(): Promise<void>
}

export interface FlushLoopParts {
  /** Twice a second. */
  everyTick: readonly Writer[]
  /** Every five seconds. */
  everyTenthTick: readonly Writer[]
  now: () => number
  onError(error: unknown): void
  timed: boolean
}

const INTERVAL_MS = 500
const RETRY_PAUSE_MS = 50

/** Writes in the background, one round after the other. A writer that fails is called again in the next round, and delays none of the others. */
export function createFlushLoop({ everyTick, everyTenthTick, now, onError, timed }: FlushLoopParts): FlushLoop {
  const allWriters = [...everyTick, ...everyTenthTick]
  const flight = createSingleFlight(write)
  const reportError = throttleLog(onError, { now })
  let ticks = 0
  const timer = timed ? setInterval(tick, INTERVAL_MS).unref() : undefined

  function tick(): void {
    if (flight.running) return
    ticks += 1
    void flight.run(ticks % 10 === 0 ? allWriters : everyTick)
  }

  /** Returns whether everything was written. After an error and after `endsAt`, no further writer is called. */
  async function write(writers: readonly Writer[], endsAt = Number.POSITIVE_INFINITY): Promise<boolean> {
    let hasFailed = false
    for (const writer of writers) {
      if (hasFailed && performance.now() >= endsAt) return false
      try {
        await writer()
      } catch (error) {
        hasFailed = true
        reportError(error)
      }
    }
    if (!hasFailed) reportError.reset()
    return !hasFailed
  }

  async function writeAll(endsAt?: number): Promise<boolean> {
    while (flight.running) await flight.running
    return flight.run(allWriters, endsAt)
  }

  return {
    async flush() {
      await writeAll()
    },
    async end() {
      clearInterval(timer)
      const endsAt = performance.now() + BACKGROUND_STOP_TIMEOUT_MS
      while (!(await writeAll(endsAt)) && performance.now() < endsAt) await pause(RETRY_PAUSE_MS)
    },
  }
}
