import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import { listWaitingDeliveries, setDueTimes, type WaitingDelivery } from '../../storage/webhooks/waiting-deliveries.ts'

/** The maximum number of deliveries that one call brings forward. */
export const MAX_BROUGHT_FORWARD = 10_000
/** At most 100 a second become due: the endpoint has only just begun to respond again. */
const SPACING_MS = 10
/** The deliveries that one transaction reads. Other transactions of a SQLite store wait while it runs. */
const SLICE_DELIVERIES = 500

export interface BroughtForward {
  broughtForward: number
  /** More deliveries wait than one call brings forward. */
  hasMore: boolean
}

/** Times of events. RFC 3339, UTC. The range includes both ends. */
export interface EventTimeRange {
  since: string
  until: string
}

/**
 * Makes deliveries that wait for their next attempt due soon, the oldest first; with a range, only those of events in that range. Each gets a
 * time by its place among all waiting deliveries, so a second call does not speed up the first. A delivery that is due earlier, or whose
 * event is held, is unchanged.
 */
export async function bringDeliveriesForward(
  db: Database,
  subscriptionId: string,
  range: EventTimeRange | null,
  now: number,
): Promise<BroughtForward> {
  let broughtForward = 0
  let queued = 0
  let after: WaitingDelivery | null = null
  for (;;) {
    const slice: WaitingDelivery[] = await listWaitingDeliveries(db, subscriptionId, after, SLICE_DELIVERIES)
    const waiting = slice.filter((delivery) => isInRange(delivery, range) && !isHeld(delivery, now))
    const late = assignDueTimes(waiting, now + queued * SPACING_MS)
    const moved = late.slice(0, MAX_BROUGHT_FORWARD - broughtForward)
    if (moved.length > 0) await transact(db, (transaction) => setDueTimes(transaction, moved))
    broughtForward += moved.length
    if (moved.length < late.length) return { broughtForward, hasMore: true }
    if (slice.length < SLICE_DELIVERIES) return { broughtForward, hasMore: false }
    queued += waiting.length
    after = slice.at(-1)!
    await yieldToEventLoop()
  }
}

const isHeld = ({ held_until }: WaitingDelivery, now: number) => held_until !== null && Date.parse(held_until) > now

const isInRange = ({ event_created_at: at }: WaitingDelivery, range: EventTimeRange | null) =>
  range === null || (at !== null && at >= range.since && at <= range.until)

/** Returns the deliveries that get an earlier time, with it. */
function assignDueTimes(waiting: readonly WaitingDelivery[], fromMs: number) {
  return waiting.flatMap(({ delivery_id, due_at }, index) => {
    const assigned = new Date(fromMs + index * SPACING_MS).toISOString()
    return assigned < due_at ? [{ delivery_id, due_at: assigned }] : []
  })
}
