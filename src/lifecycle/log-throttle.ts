const ONCE_A_MINUTE_MS = 60_000

export interface ThrottledLog<Args extends unknown[]> {
  (...args: Args): void
  /** The trouble is over: the next call logs at once. */
  reset(): void
}

/** Calls `log` at most once an interval, a minute when not given; calls in between are dropped. The first one logs at once. */
export function throttleLog<Args extends unknown[]>(
  log: (...args: Args) => void,
  { now, intervalMs = ONCE_A_MINUTE_MS }: { now: () => number; intervalMs?: number },
): ThrottledLog<Args> {
  let loggedAt = Number.NEGATIVE_INFINITY
  const throttled = (...args: Args) => {
    if (now() - loggedAt < intervalMs) return
    loggedAt = now()
    log(...args)
  }
  const reset = () => {
    loggedAt = Number.NEGATIVE_INFINITY
  }
  return Object.assign(throttled, { reset })
}
