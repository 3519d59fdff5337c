import type { Database } from '../storage/database.ts'
import { type Lease, listLeases, releaseLeases, renewLeases, takeLease } from '../storage/leases.ts'
import { WAKEUP_PREFIX } from './feed-wakeup.ts'

const FEED = 'feed:'
const LEASE_MS = 20_000
const RENEW_MS = 5_000

export interface FeedLeaseParts {
  db: Database
  now: () => number
  /** Names this process. */
  holder: string
  /** What there are leases of: "acme/live". */
  names: readonly string[]
}

/** The leases of merchants' change feeds: each is held by one process, while it lives. */
export interface FeedLeases {
  /** Takes those that are free, holds on to those that are held, and gives what else stands beside them. */
  look(): Promise<ReadonlyMap<string, Lease>>
  holds(name: string): boolean
  release(): Promise<void>
}

export function createFeedLeases({ db, now, holder, names }: FeedLeaseParts): FeedLeases {
  /** Milliseconds since the epoch, of those that are held. */
  const untils = new Map<string, number>()
  const holds = (name: string) => (untils.get(name) ?? 0) > now()

  async function look(): Promise<ReadonlyMap<string, Lease>> {
    const at = { now: new Date(now()).toISOString(), until: new Date(now() + LEASE_MS).toISOString() }
    const leases = new Map((await listLeases(db, [FEED, WAKEUP_PREFIX])).map((lease) => [lease.name, lease]))
    for (const name of names) {
      const lease = leases.get(FEED + name)
      const isFree = !lease || lease.until <= at.now
      if (isFree && (await takeLease(db, FEED + name, holder, at))) untils.set(name, Date.parse(at.until))
      else if (!isFree && lease.holder === holder) untils.set(name, Date.parse(lease.until))
      else untils.delete(name)
    }
    await renew(at)
    return leases
  }

  async function renew(at: { now: string; until: string }): Promise<void> {
    const old = names.filter((name) => holds(name) && untils.get(name)! < now() + LEASE_MS - RENEW_MS)
    if (old.length === 0) return
    await renewLeases(db, old.map(leaseName), holder, at)
    // Had one been lost since it was read, the next look tells.
    for (const name of old) untils.set(name, Date.parse(at.until))
  }

  return {
    look,
    holds,
    async release() {
      const held = names.filter(holds)
      untils.clear()
      if (held.length > 0) await releaseLeases(db, held.map(leaseName), holder, new Date(now()).toISOString())
    },
  }
}

const leaseName = (name: string) => FEED + name
