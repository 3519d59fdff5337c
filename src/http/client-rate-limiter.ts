import { LRUCache } from 'lru-cache'
import { toNetwork } from '../security/ip-address.ts'
import {
  type ClientRateLimitCharge,
  createRateLimitedProblem,
  type KeyRateLimiter,
  RATE_LIMIT_WINDOW_SECONDS,
  type RateLimiter,
} from './rate-limiter.ts'

/** A client's minute with one key. */
interface ClientWindow {
  count: number
  endsAt: number
}

export interface ClientLimitOptions {
  now?: () => number
  /** The number of clients that are remembered; beyond it, those that were away longest are forgotten. */
  maxClients?: number
}

const REFUSAL = 'This client has used up its requests with this API key for this minute; see Retry-After.'
const WINDOW_MS = RATE_LIMIT_WINDOW_SECONDS * 1_000
/** About 10 MB. A key admits no more clients in a minute than its own limit. */
const MAX_CLIENTS = 50_000

/**
 * Adds a limit for each client of a publishable key, so that one visitor cannot spend the key's minute. A refused request does not count
 * against the key. Clients with IPv6 are counted by their /64 network. Each process counts for itself.
 */
export function limitClients(
  keyLimits: KeyRateLimiter,
  { now = Date.now, maxClients = MAX_CLIENTS }: ClientLimitOptions = {},
): RateLimiter {
  const windows = new LRUCache<string, ClientWindow>({ max: maxClients })

  function openWindow(client: string): ClientWindow {
    const current = windows.get(client)
    if (current && now() < current.endsAt) return current
    const window = { count: 0, endsAt: now() + WINDOW_MS }
    windows.set(client, window)
    return window
  }

  return {
    async charge(key, clientAddress) {
      const limit = key.rate_limit_per_client
      if (limit === null) return keyLimits.charge(key)
      const client = `${key.key_id} ${toNetwork(clientAddress)}`
      const window = openWindow(client)
      if (window.count >= limit) throw createRateLimitedProblem({ client: toCharge(client, limit, window) }, REFUSAL)
      // Counted before the key's own limit responds: requests that arrive together must not all pass.
      window.count += 1
      try {
        const charge = await keyLimits.charge(key)
        charge.client = toCharge(client, limit, window)
        return charge
      } catch (error) {
        window.count -= 1
        if (window.count === 0) windows.delete(client)
        throw error
      }
    },
    async refund(key, charge) {
      const refunded = await keyLimits.refund(key, charge)
      return charge.client ? { ...refunded, client: refundClient(charge.client) } : refunded
    },
  }

  function toCharge(client: string, limit: number, { count, endsAt }: ClientWindow): ClientRateLimitCharge {
    return { client, limit, remaining: limit - count, resetSeconds: Math.ceil((endsAt - now()) / 1_000), endsAt }
  }

  function refundClient(charge: ClientRateLimitCharge): ClientRateLimitCharge {
    const window = windows.peek(charge.client)
    if (window?.endsAt !== charge.endsAt) return charge
    window.count -= 1
    return { ...charge, remaining: charge.remaining + 1 }
  }
}
