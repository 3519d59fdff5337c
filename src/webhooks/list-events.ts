import { eventKinds, isSubscribedTo } from '../contract/webhook.ts'
import { InvalidInput } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import type { TenantColumns } from '../storage/shoppers/shopper-accounts.ts'
import { type EventCursor, type EventRow, findEvent, isEventId, listEvents } from '../storage/webhooks/events.ts'

/** An event bears the time of its transaction's beginning, and is seen at its end: so much later at the most. */
export const EVENT_VISIBILITY_DELAY_MS = 5_000
const KEPT_MS = 30 * 86_400_000

export interface EventQuery {
  /** An event's id, or an instant in RFC 3339, UTC, with milliseconds. */
  since: string | undefined
  /** Patterns, as in a subscription; none: all. */
  types: readonly string[]
  limit: number
}

export interface EventPage {
  events: EventRow[]
  hasMore: boolean
  nextSince: string
}

/**
 * Events for who asks again and again, the oldest first. Those of the last moments may not all be seen yet: a reader is sent on past an event
 * by its id only when none can come before it any more, and otherwise reads the last moments again.
 */
export async function listEventsSince(
  db: Database,
  realm: TenantColumns,
  { since, types, limit }: EventQuery,
  now: number,
): Promise<EventPage> {
  const from = await placeOf(db, realm, since, now)
  const kinds = eventKinds.filter((kind) => types.length === 0 || isSubscribedTo(types, kind))
  const rows = await listEvents(db, realm, from, kinds, limit + 1)
  const events = rows.slice(0, limit)
  const settledBefore = instant(now - EVENT_VISIBILITY_DELAY_MS)
  const settled = events.findLast(({ created_at }) => created_at < settledBefore)
  if (rows.length > limit && settled) return { events, hasMore: true, nextSince: settled.event_id }
  return { events, hasMore: false, nextSince: seenUntil(events, from, now) }
}

async function placeOf(
  db: Database,
  realm: TenantColumns,
  since: string | undefined,
  now: number,
): Promise<EventCursor> {
  if (since === undefined) return { at: instant(now - KEPT_MS), after: null }
  if (!isEventId(since)) return { at: since, after: null }
  const event = await findEvent(db, realm, since)
  if (!event) throw unknownEvent(since)
  return { at: event.created_at, after: event.event_id }
}

/** All that was there before is seen. Of a page that is empty nothing is known but where it began. */
function seenUntil(events: readonly EventRow[], { at, after }: EventCursor, now: number): string {
  const newest = events.at(-1)?.created_at
  if (newest === undefined) return after ?? at
  const overlap = instant(Math.min(Date.parse(newest), now) - EVENT_VISIBILITY_DELAY_MS)
  return after === null && at > overlap ? at : overlap
}

const instant = (ms: number) => new Date(ms).toISOString()

const unknownEvent = (since: string) =>
  new InvalidInput([
    {
      ...{ type: 'event_unknown', loc: ['query', 'since'], input: since },
      msg: 'There is no such event, or not any more. Give an instant instead',
    },
  ])
