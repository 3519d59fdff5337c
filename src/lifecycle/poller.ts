import { createSingleFlight } from './single-flight.ts'
import { waitUpTo } from './wait-up-to.ts'

export interface PollerParts {
  /** One round. */
  round(): Promise<void>
  /** Milliseconds between two ticks; `null`: rounds run only when `poll` or `tick` is called. */
  intervalMs: number | null
  /** Receives the error of a round that a tick started. The error of `poll` goes to its caller. */
  onError(error: unknown): void
  /** Starts the first round at once, rather than after an interval. */
  startsAtOnce?: boolean
  /** Ticks are skipped for this long after one whose round failed. */
  pauseAfterErrorMs?: number
  /** How long disposal waits for the round under way; without a limit when absent. */
  disposeTimeoutMs?: number
}

/** Runs rounds in the background, never two at once. Disposing stops it and waits for the round under way. Does not keep the process alive. */
export interface Poller extends AsyncDisposable {
  /** Runs a round now, or joins the one under way. Does nothing once the poller is stopped. */
  poll(): Promise<void>
  /** Does what the timer does: starts a round, unless one is under way or the last one failed a moment ago. */
  tick(): void
  /** The round under way. */
  readonly running: Promise<void> | undefined
  /** Disposal has begun. */
  readonly isStopped: boolean
  [Symbol.asyncDispose](): Promise<void>
}

export function startPoller(parts: PollerParts): Poller {
  const { intervalMs, onError, pauseAfterErrorMs = 0, disposeTimeoutMs } = parts
  const flight = createSingleFlight(parts.round)
  let isStopped = false
  let pausedUntil = 0

  const poll = () => (isStopped ? Promise.resolve() : flight.run())

  function tick(): void {
    if (flight.running || performance.now() < pausedUntil) return
    poll().catch((error: unknown) => {
      pausedUntil = performance.now() + pauseAfterErrorMs
      onError(error)
    })
  }

  const timer = intervalMs === null ? undefined : setInterval(tick, intervalMs).unref()
  if (parts.startsAtOnce) tick()
  return {
    poll,
    tick,
    get running() {
      return flight.running
    },
    get isStopped() {
      return isStopped
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      clearInterval(timer)
      const ended = Promise.allSettled([flight.running])
      await (disposeTimeoutMs === undefined ? ended : waitUpTo(disposeTimeoutMs, ended))
    },
  }
}
