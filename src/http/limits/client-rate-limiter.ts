import { toNetwork } from '../../security/ip-address.ts'
import { type KeyRateLimiter, toRateLimitState } from './key-rate-limiter.ts'
import { createRateLimitedProblem } from './rate-limited-problem.ts'
import type { ClientRateLimitCharge, RateLimiter } from './rate-limiter.ts'
import { readMonotonicMs } from './read-monotonic-ms.ts'
import { createRequestWindows } from './request-windows.ts'

export interface ClientLimitOptions {
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  maxClients?: number
}

const REFUSAL = 'This client has used up its requests with this API key for this minute; see Retry-After.'
/** About 10 MB. A key admits no more clients in a minute than its own limit. */
const MAX_CLIENTS = 50_000

/**
 * Adds a limit for each client of a publishable key, so that one visitor cannot use up the key's limit. A refused request does not count
 * against the key. Clients with IPv6 are counted by their /64 network. Each process counts for itself.
 */
export function limitClients(
  keyLimits: KeyRateLimiter,
  { now = readMonotonicMs, maxClients = MAX_CLIENTS }: ClientLimitOptions = {},
): RateLimiter {
  const windows = createRequestWindows(maxClients)

  return {
    charge(key, clientAddress) {
      const limit = key.rate_limit_per_client
      if (limit === null) return keyLimits.charge(key)
      const client = `${key.key_id} ${toNetwork(clientAddress)}`
      const at = now()
      const current = windows.current(client, at)
      if (current && current.count >= limit)
        throw createRateLimitedProblem({ client: toRateLimitState(limit, current, at) }, REFUSAL)
      const charge = keyLimits.charge(key)
      const window = current ?? windows.open(client, at)
      window.count += 1
      charge.client = { ...toRateLimitState(limit, window, at), client }
      return charge
    },
    refund(key, charge) {
      const refunded = keyLimits.refund(key, charge)
      return charge.client ? { ...refunded, client: refundClient(charge.client) } : refunded
    },
  }

  function refundClient(charge: ClientRateLimitCharge): ClientRateLimitCharge {
    const window = windows.find(charge.client, charge.endsAt)
    if (!window) return charge
    window.count -= 1
    return { ...charge, remaining: charge.remaining + 1 }
  }
}
