import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { eventKinds, isSubscribedTo } from '../contract/events/event-types.ts'
import type { Database } from '../storage/database.ts'
import {
  findNextPosition,
  NUMBERED_PER_TRANSACTION,
  numberEvents,
  readLastPosition,
} from '../storage/webhooks/event-positions.ts'
import { type EventRow, listEventsInRange } from '../storage/webhooks/event-queries.ts'
import type { Tenant } from '../tenant.ts'
import { formatEventCursor } from './event-cursor.ts'
import { findEventListStart } from './event-list-start.ts'

/** The positions that one query reads. With SQLite, a query blocks the event loop. */
const SLICE_POSITIONS = 1_000
/** The positions that one page examines: few of them may be of the requested types. */
const MAX_EXAMINED_POSITIONS = 20_000

export interface EventQuery {
  /** A cursor, an event's id, or an instant in RFC 3339, UTC, with milliseconds; the oldest stored event by default. */
  since: string | undefined
  /** Patterns as in a subscription; an empty list matches all events. */
  types: readonly string[]
  limit: number
}

export interface EventPage {
  events: EventRow[]
  hasMore: boolean
  /** A cursor. */
  nextSince: string
}

/** Lists events in the order of their positions, for a polling client. A page may be empty although more follow, when few are of the requested types. */
export async function listEventsSince(
  db: Database,
  tenant: Tenant,
  { since, types, limit }: EventQuery,
  now: number,
): Promise<EventPage> {
  while ((await numberEvents(db, tenant, now)) === NUMBERED_PER_TRANSACTION) await yieldToEventLoop()
  const last = await readLastPosition(db, tenant)
  const start = await findEventListStart(db, tenant, since, { last, now })
  const kinds = eventKinds.filter((kind) => types.length === 0 || isSubscribedTo(types, kind))
  const end = Math.min(last, start + MAX_EXAMINED_POSITIONS)
  const events: EventRow[] = []
  let examined = start
  while (examined < end && events.length < limit) {
    const to = Math.min(examined + SLICE_POSITIONS, end)
    const slice = { after: examined, to, types: kinds, limit: limit - events.length }
    events.push(...(await listEventsInRange(db, tenant, slice)))
    examined = events.length === limit ? events.at(-1)!.position! : to
    await yieldToEventLoop()
  }
  const hasMore = examined < last && (await findNextPosition(db, tenant, examined)) !== null
  return { events, hasMore, nextSince: formatEventCursor(tenant, examined) }
}
