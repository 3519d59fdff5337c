import type { Database } from '../storage/database.ts'
import { incrementRateLimitCounters } from '../storage/keys/rate-limit-counters.ts'
import { RATE_LIMIT_WINDOW_SECONDS, type RateLimiter } from './rate-limiter.ts'

const EVERY_MS = 500

export interface SharedRateLimiter extends RateLimiter, AsyncDisposable {
  /** Tells the others what was counted here, and counts what they did. */
  exchange(): Promise<void>
}

export interface SharedRateLimiterDeps {
  db: Database
  now: () => number
  onFailure?: (error: unknown) => void
  /** `null`: exchanges are made by hand. */
  intervalMs?: number | null
}

/**
 * A key's minute for all processes on a store: each counts for itself, at the price of memory, and twice a second they tell each other.
 * What comes in between may pass beyond the limit. While the store is away each goes on by its own count.
 */
export function createSharedRateLimiter(own: RateLimiter, parts: SharedRateLimiterDeps): SharedRateLimiter {
  const { db, now, onFailure = () => {}, intervalMs = EVERY_MS } = parts
  const unsent = new Map<string, number>()
  const limitOf = new Map<string, number>()
  let seen = new Map<string, { endsAt: string; count: number }>()
  let running: Promise<void> | undefined
  const timer = intervalMs === null ? undefined : setInterval(() => void exchange().catch(onFailure), intervalMs)

  const count = (keyId: string, by: number) => unsent.set(keyId, (unsent.get(keyId) ?? 0) + by)

  function exchange(): Promise<void> {
    running ??= exchangeOnce().finally(() => {
      running = undefined
    })
    return running
  }

  async function exchangeOnce(): Promise<void> {
    const told = new Map(unsent)
    unsent.clear()
    const at = now()
    const times = { now: iso(at), endsAt: iso(at + RATE_LIMIT_WINDOW_SECONDS * 1_000) }
    try {
      const known = new Map<string, { endsAt: string; count: number }>()
      for (const { key_id, ends_at, count } of await incrementRateLimitCounters(db, told, times)) {
        const before = seen.get(key_id)
        const others = count - told.get(key_id)! - (before?.endsAt === ends_at ? before.count : 0)
        if (others > 0) await own.countOthers(key_id, limitOf.get(key_id)!, others)
        known.set(key_id, { endsAt: ends_at, count })
      }
      for (const [keyId, use] of seen) if (!known.has(keyId) && use.endsAt > times.now) known.set(keyId, use)
      seen = known
      for (const keyId of limitOf.keys()) if (!known.has(keyId) && !unsent.has(keyId)) limitOf.delete(keyId)
    } catch (error) {
      for (const [keyId, by] of told) count(keyId, by)
      throw error
    }
  }

  return {
    async charge(key) {
      const charge = await own.charge(key)
      limitOf.set(key.key_id, key.rate_limit_per_minute)
      count(key.key_id, 1)
      return charge
    },
    async refund(key, charge) {
      const refunded = await own.refund(key, charge)
      if (refunded === charge) return refunded
      limitOf.set(key.key_id, key.rate_limit_per_minute)
      count(key.key_id, -1)
      return refunded
    },
    countOthers: own.countOthers,
    exchange,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.allSettled([running])
    },
  }
}

const iso = (ms: number) => new Date(ms).toISOString()
