import { eventKinds, isSubscribedTo } from '../contract/event.ts'
import { InvalidInput } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { type EventCursor, type EventRow, findEvent, isEventId, listEvents } from '../storage/webhooks/events.ts'
import type { Tenant } from '../tenant.ts'

/** An event has the time at which its transaction began, but becomes visible when it commits. This is the longest delay between the two. */
export const EVENT_VISIBILITY_DELAY_MS = 5_000
const RETENTION_MS = 30 * 86_400_000

export interface EventQuery {
  /** An event's id, or an instant in RFC 3339, UTC, with milliseconds. */
  since: string | undefined
  /** Patterns as in a subscription; an empty list matches all events. */
  types: readonly string[]
  limit: number
}

export interface EventPage {
  events: EventRow[]
  hasMore: boolean
  nextSince: string
}

/**
 * Lists events for a polling client, the oldest first. Recent events may become visible out of order. So `nextSince` is an event's id only
 * when no earlier event can appear any more; otherwise it is a time, and the client reads the last few seconds again.
 */
export async function listEventsSince(
  db: Database,
  tenant: Tenant,
  { since, types, limit }: EventQuery,
  now: number,
): Promise<EventPage> {
  const cursor = await findCursor(db, tenant, since, now)
  const kinds = eventKinds.filter((kind) => types.length === 0 || isSubscribedTo(types, kind))
  const rows = await listEvents(db, tenant, cursor, kinds, limit + 1)
  const events = rows.slice(0, limit)
  const stableBefore = instant(now - EVENT_VISIBILITY_DELAY_MS)
  const lastStable = events.findLast(({ created_at }) => created_at < stableBefore)
  if (rows.length > limit && lastStable) return { events, hasMore: true, nextSince: lastStable.event_id }
  return { events, hasMore: false, nextSince: computeNextSince(events, cursor, now) }
}

async function findCursor(db: Database, tenant: Tenant, since: string | undefined, now: number): Promise<EventCursor> {
  if (since === undefined) return { at: instant(now - RETENTION_MS), after: null }
  if (!isEventId(since)) return { at: since, after: null }
  const event = await findEvent(db, tenant, since)
  if (!event) throw createUnknownEventError(since)
  return { at: event.created_at, after: event.event_id }
}

/** Goes back far enough to catch events that become visible late. An empty page keeps its start. */
function computeNextSince(events: readonly EventRow[], { at, after }: EventCursor, now: number): string {
  const newest = events.at(-1)?.created_at
  if (newest === undefined) return after ?? at
  const overlap = instant(Math.min(Date.parse(newest), now) - EVENT_VISIBILITY_DELAY_MS)
  return after === null && at > overlap ? at : overlap
}

const instant = (ms: number) => new Date(ms).toISOString()

const createUnknownEventError = (since: string) =>
  new InvalidInput([
    {
      type: 'event_unknown',
      loc: ['query', 'since'],
      input: since,
      msg: 'No such event exists, or it is past its retention time. Use a timestamp instead',
    },
  ])
