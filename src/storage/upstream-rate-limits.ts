import type { Database } from './database.ts'

/** The calls that the owner of a system allows: they are earned one by one, up to `burst` of them in advance. */
export interface CallAllowanceTerms {
  burst: number
  /** The time in which one call is earned. */
  earnedInMs: number
}

export interface CallExchange extends CallAllowanceTerms {
  /** Names the system; the same in all processes on the store. */
  system: string
  /** Milliseconds since the epoch, by the clock that all processes on the store share. */
  now: number
  /** Calls that were granted and not made. Negative: calls that were made without a grant, for which later grants wait. */
  returned: number
  wanted: number
}

export interface CallGrant {
  granted: number
  /** When none was granted: milliseconds until one may be. */
  msUntilNext: number
}

const MAX_ATTEMPTS = 8
/** How far in the future the stored time may be, in the times in which a burst is earned. So calls without a grant delay others by seconds at most. */
const MAX_BURSTS_AHEAD = 3
/** Times are stored in whole milliseconds, rounded up with each grant. */
const ROUNDING_MS = 5

/**
 * Grants calls to a process out of those that a system allows to all processes on the store. One time is stored for each system, at which all
 * calls that were granted are earned again (GCRA, the generic cell rate algorithm). It is compared and set, so no transaction stays open.
 */
export async function exchangeCalls(db: Database, exchange: CallExchange): Promise<CallGrant> {
  const { now, burst, earnedInMs, returned, wanted } = exchange
  const toleranceMs = burst * earnedInMs
  const name = `calls:${exchange.system}`
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stored = await db.selectFrom('leases').select('until').where('name', '=', name).executeTakeFirst()
    const earnedAt = stored ? Date.parse(stored.until) : now
    // A later time is from before the clock was set back. One more burst is for clocks of processes that differ.
    const isCurrent = earnedAt <= now + (MAX_BURSTS_AHEAD + 1) * toleranceMs
    const freeAt = Math.max(now, (isCurrent ? earnedAt : now) - returned * earnedInMs)
    const available = Math.floor((now + toleranceMs + ROUNDING_MS - freeAt) / earnedInMs)
    const granted = Math.max(0, Math.min(wanted, available))
    if (granted === 0 && returned === 0)
      return { granted, msUntilNext: Math.max(1, freeAt + earnedInMs - toleranceMs - now) }
    const latest = now + MAX_BURSTS_AHEAD * toleranceMs
    const until = new Date(Math.ceil(Math.min(freeAt + granted * earnedInMs, latest))).toISOString()
    if (await setTime(db, name, stored?.until, until)) return { granted, msUntilNext: 0 }
  }
  return { granted: 0, msUntilNext: earnedInMs }
}

/** Returns false when another process has changed the time meanwhile. */
async function setTime(db: Database, name: string, known: string | undefined, until: string): Promise<boolean> {
  if (known === undefined) {
    const first = db.insertInto('leases').values({ name, holder: '', until, woken_at: null })
    const inserted = await first
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .execute()
    return inserted.length === 1
  }
  const changed = db.updateTable('leases').set({ until }).where('name', '=', name).where('until', '=', known)
  return (await changed.returning('name').execute()).length === 1
}
