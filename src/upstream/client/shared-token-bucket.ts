import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import type { Database } from '../../storage/database.ts'
import { exchangeCalls } from '../../storage/upstream-rate-limits.ts'
import { createTokenBucket, type TokenBucket, toBucketTerms } from './token-bucket.ts'

export interface SharedTokenBucketParts {
  db: Database
  /** Names the system; the same in all processes on the store. */
  system: string
  perMinute: number
  /** Milliseconds since the epoch, by the clock that all processes on the store share. */
  now: () => number
  /** Milliseconds by a clock that is never set back, for times that only this process needs. */
  monotonicNow?: () => number
  onError(error: unknown): void
}

/** A token bucket that all processes on a store share. */
export interface SharedTokenBucket extends TokenBucket, AsyncDisposable {
  /** Gets tokens from the store now, unless there are some, and returns those that were not used in time. `take` starts it by itself. */
  exchange(): Promise<void>
}

/** Older tokens are not used. So any minute has at most one second's tokens more than the store has granted in that minute. */
const KEPT_MS = 1_000
/** The shortest time between two exchanges, if the first one got nothing. */
const MIN_INTERVAL_MS = 50
/** While an exchange is under way. */
const POLL_MS = 5
/** A store that takes longer counts as one that does not respond. A client of the database may wait many seconds. */
const MAX_EXCHANGE_MS = 300
/** The share of the limit that each process may use while the store does not respond: the number of processes is then unknown. */
const OUTAGE_SHARE = 0.1

/** Gets tokens in batches, as many as were used of the last batch, and twice as many when it was used up. */
export function createSharedTokenBucket(parts: SharedTokenBucketParts): SharedTokenBucket {
  const { db, system, perMinute, now, monotonicNow = () => performance.now(), onError } = parts
  const terms = toBucketTerms(perMinute)
  const flight = createSingleFlight(exchange)
  /** One for all outages: a store that is slow again and again must not lead to a burst each time. */
  const outage = createTokenBucket(Math.max(2, Math.floor(perMinute * OUTAGE_SHARE)), monotonicNow)
  let hasFailed = false
  /** The start of the exchange under way. */
  let startedAt = Number.POSITIVE_INFINITY
  /** Calls that were made without a grant since then. */
  let ungranted = 0
  let tokens = 0
  let grantedAt = Number.NEGATIVE_INFINITY
  let used = 0
  let wanted = 1
  let nextAt = Number.NEGATIVE_INFINITY

  const isFresh = () => monotonicNow() - grantedAt < KEPT_MS

  const isOutage = () => hasFailed || monotonicNow() - startedAt > MAX_EXCHANGE_MS

  function takeUngranted(): boolean {
    if (!isOutage() || !outage.take()) return false
    ungranted += 1
    return true
  }

  const exchangeInStore = (returned: number, wanted: number) =>
    exchangeCalls(db, { ...terms, system, now: now(), returned, wanted })

  async function exchange(): Promise<void> {
    if (tokens > 0 && isFresh()) return
    const at = monotonicNow()
    startedAt = at
    ungranted = 0
    const returned = tokens
    if (returned > 0) wanted = Math.max(1, used)
    else if (used > 0) wanted = Math.min(terms.burst, 2 * wanted)
    tokens = 0
    used = 0
    try {
      const { granted, msUntilNext } = await exchangeInStore(returned, wanted)
      hasFailed = false
      startedAt = Number.POSITIVE_INFINITY
      // At once: a process that is killed before its next exchange would never count them.
      if (ungranted > granted) await exchangeInStore(granted - ungranted, 0)
      tokens = Math.max(0, granted - ungranted)
      used = granted - tokens
      grantedAt = at
      nextAt = granted > 0 ? at : monotonicNow() + Math.max(MIN_INTERVAL_MS, msUntilNext)
    } catch (error) {
      hasFailed = true
      nextAt = monotonicNow() + KEPT_MS
      onError(error)
    } finally {
      startedAt = Number.POSITIVE_INFINITY
    }
  }

  function request(): void {
    if (!flight.running && monotonicNow() >= nextAt) void flight.run()
  }

  return {
    exchange: flight.run,
    take() {
      if (tokens > 0 && isFresh()) {
        tokens -= 1
        used += 1
        if (tokens === 0) request()
        return true
      }
      request()
      return takeUngranted()
    },
    msUntilNext: () => (flight.running ? POLL_MS : Math.max(POLL_MS, nextAt - monotonicNow())),
    async [Symbol.asyncDispose]() {
      await flight.running
      if (tokens === 0) return
      const returned = tokens
      tokens = 0
      await exchangeInStore(returned, 0).catch(() => {})
    },
  }
}
