import type { Database } from '../../storage/database.ts'
import {
  FEED_LEASE_PREFIX,
  type Lease,
  listLeases,
  releaseLeases,
  renewLeases,
  takeLease,
} from '../../storage/leases.ts'
import { WAKEUP_PREFIX } from './feed-wakeup.ts'

const LEASE_MS = 20_000
const RENEW_MS = 5_000

export interface FeedLeaseParts {
  db: Database
  now: () => number
  /** Identifies this process. */
  holder: string
  /** The tenant keys ("acme/live") of all feeds. */
  names: readonly string[]
}

/** The leases of the tenants' change feeds. One process at a time holds a feed's lease. */
export interface FeedLeases {
  /** Takes free leases, renews held ones, and returns all leases and wake-ups. */
  refresh(): Promise<ReadonlyMap<string, Lease>>
  holds(name: string): boolean
  release(): Promise<void>
}

export function createFeedLeases({ db, now, holder, names }: FeedLeaseParts): FeedLeases {
  /** Milliseconds since the epoch, for the leases that are held. */
  const heldUntilMs = new Map<string, number>()
  const holds = (name: string) => (heldUntilMs.get(name) ?? 0) > now()

  async function refresh(): Promise<ReadonlyMap<string, Lease>> {
    const at = { now: new Date(now()).toISOString(), until: new Date(now() + LEASE_MS).toISOString() }
    const leases = new Map(
      (await listLeases(db, [FEED_LEASE_PREFIX, WAKEUP_PREFIX])).map((lease) => [lease.name, lease]),
    )
    for (const name of names) {
      const lease = leases.get(leaseName(name))
      const isFree = !lease || lease.until <= at.now
      if (isFree && (await takeLease(db, leaseName(name), holder, at))) heldUntilMs.set(name, Date.parse(at.until))
      else if (!isFree && lease.holder === holder) heldUntilMs.set(name, Date.parse(lease.until))
      else heldUntilMs.delete(name)
    }
    await renew(at)
    return leases
  }

  async function renew(at: { now: string; until: string }): Promise<void> {
    const expiring = names.filter((name) => holds(name) && heldUntilMs.get(name)! < now() + LEASE_MS - RENEW_MS)
    if (expiring.length === 0) return
    await renewLeases(db, expiring.map(leaseName), holder, at)
    // The next refresh notices a lease that was lost since it was read.
    for (const name of expiring) heldUntilMs.set(name, Date.parse(at.until))
  }

  return {
    refresh,
    holds,
    async release() {
      const held = names.filter(holds)
      heldUntilMs.clear()
      if (held.length > 0) await releaseLeases(db, held.map(leaseName), holder, new Date(now()).toISOString())
    },
  }
}

const leaseName = (name: string) => FEED_LEASE_PREFIX + name
