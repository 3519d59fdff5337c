import { startPoller } from '../../lifecycle/poller.ts'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../../storage/database.ts'
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  type IdempotentRequest,
  renewIdempotencyClaims,
} from '../../storage/idempotency-keys.ts'

/** The time after which another process may take over the keys of a process that has died. A slow request keeps its key, because its process renews the claim. */
const CLAIM_MS = 5_000
const RENEWAL_INTERVAL_MS = 1_000
const RETENTION_MS = 7 * 86_400_000

/** The idempotency keys that requests of this process hold. */
export interface IdempotencyClaims extends AsyncDisposable {
  claim(request: IdempotentRequest): Promise<IdempotencyClaim>
  /** Stops renewing the claim. Call it when the request has ended. */
  end(digest: string): void
  /** Renews all claims now. */
  renew(): Promise<void>
}

export interface IdempotencyClaimsParts {
  db: Database
  now: () => number
  onError: (error: unknown) => void
  /** `null`: no timer; claims are renewed when `renew` is called. */
  intervalMs?: number | null
}

export function createIdempotencyClaims(parts: IdempotencyClaimsParts): IdempotencyClaims {
  const { db, now, onError, intervalMs = RENEWAL_INTERVAL_MS } = parts
  /** By digest of the key. */
  const held = new Map<string, { holder: string; fingerprint: string }>()
  const isoIn = (ms: number) => new Date(now() + ms).toISOString()
  const poller = startPoller({ round: renew, intervalMs, onError })

  async function renew(): Promise<void> {
    const digestByHolder = new Map([...held].map(([digest, { holder }]) => [holder, digest]))
    await renewIdempotencyClaims(db, digestByHolder, isoIn(CLAIM_MS))
  }

  return {
    async claim(request) {
      const { digest, fingerprint } = request
      const running = held.get(digest)
      // Decided without the clock: a clock that is set must not let a second request in.
      if (running) return { state: running.fingerprint === fingerprint ? 'in_flight' : 'reused' }
      const holder = randomBase62(16)
      const terms = { holder, now: isoIn(0), until: isoIn(CLAIM_MS), expires: isoIn(RETENTION_MS) }
      const claim = await claimIdempotencyKey(db, request, terms)
      if (claim.state === 'claimed') held.set(digest, { holder, fingerprint })
      return claim
    },
    end: (digest) => void held.delete(digest),
    renew: poller.poll,
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}
