import { startPoller } from '../../lifecycle/poller.ts'
import type { Database } from '../../storage/database.ts'
import { incrementRateLimitCounters } from '../../storage/keys/rate-limit-counters.ts'
import type { KeyRateLimiter } from './key-rate-limiter.ts'
import { RATE_LIMIT_WINDOW_SECONDS } from './request-windows.ts'

const EXCHANGE_INTERVAL_MS = 500

export interface SharedRateLimiter extends KeyRateLimiter, AsyncDisposable {
  /** Adds this process's counts to the store, and the counts of other processes to this limiter. */
  exchange(): Promise<void>
}

export interface SharedRateLimiterDeps {
  db: Database
  now: () => number
  onFailure?: (error: unknown) => void
  /** `null`: no timer; the caller calls `exchange`. */
  intervalMs?: number | null
}

/** A key's window and its count over all processes, as the store had them at the last exchange. */
interface SharedCount {
  endsAt: string
  count: number
}

/**
 * One rate limit per key for all processes on a store. Each process counts in memory and exchanges counts twice a second, so requests
 * between two exchanges may exceed the limit. While the store is unavailable, each process applies the limit to its own requests.
 */
export function createSharedRateLimiter(local: KeyRateLimiter, deps: SharedRateLimiterDeps): SharedRateLimiter {
  const { db, now, onFailure = () => {}, intervalMs = EXCHANGE_INTERVAL_MS } = deps
  const unsent = new Map<string, number>()
  let lastCounts = new Map<string, SharedCount>()
  const poller = startPoller({ round: exchange, intervalMs, onError: onFailure })

  const count = (keyId: string, requests: number) => unsent.set(keyId, (unsent.get(keyId) ?? 0) + requests)

  async function exchange(): Promise<void> {
    const sent = new Map(unsent)
    unsent.clear()
    const startedAt = now()
    const window = { now: iso(startedAt), endsAt: iso(startedAt + RATE_LIMIT_WINDOW_SECONDS * 1_000) }
    try {
      const counts = new Map<string, SharedCount>()
      for (const { key_id, ends_at, count } of await incrementRateLimitCounters(db, sent, window)) {
        const last = lastCounts.get(key_id)
        const fromOthers = count - sent.get(key_id)! - (last?.endsAt === ends_at ? last.count : 0)
        if (fromOthers > 0) local.countOthers(key_id, fromOthers)
        counts.set(key_id, { endsAt: ends_at, count })
      }
      for (const [keyId, last] of lastCounts)
        if (!counts.has(keyId) && last.endsAt > window.now) counts.set(keyId, last)
      lastCounts = counts
    } catch (error) {
      for (const [keyId, requests] of sent) count(keyId, requests)
      throw error
    }
  }

  return {
    charge(key) {
      const charge = local.charge(key)
      count(key.key_id, 1)
      return charge
    },
    refund(key, charge) {
      const refunded = local.refund(key, charge)
      if (refunded === charge) return refunded
      count(key.key_id, -1)
      return refunded
    },
    countOthers: local.countOthers,
    exchange: poller.poll,
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
