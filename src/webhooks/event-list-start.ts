import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { InvalidInput } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { findLowestPosition, findNextPosition } from '../storage/webhooks/event-positions.ts'
import { findEvent, isEventIdLike } from '../storage/webhooks/event-queries.ts'
import type { Tenant } from '../tenant.ts'
import { isEventCursor, parseEventCursor } from './event-cursor.ts'

const RETENTION_MS = 30 * 86_400_000
/** The events that one query examines to find where a time is in the list. */
const SLICE_EVENTS = 5_000

/**
 * Returns the position after which a list starts. `since`: a cursor, an event's id, or a time. `last`: the last position that is assigned.
 * Throws InvalidInput for a cursor or id from which the list cannot continue.
 */
export async function findEventListStart(
  db: Database,
  tenant: Tenant,
  since: string | undefined,
  { last, now }: { last: number; now: number },
): Promise<number> {
  if (since === undefined) return findTime(db, tenant, new Date(now - RETENTION_MS).toISOString(), last)
  if (isEventCursor(since)) return checkCursor(db, tenant, since, last)
  if (!isEventIdLike(since)) return findTime(db, tenant, since, last)
  const event = await findEvent(db, tenant, since)
  if (!event) throw createSinceError(since, 'event_unknown', UNKNOWN_EVENT)
  return event.position ?? last
}

/** A list from a time on starts with the first event of that time or later. Later events may have earlier times, because clocks are set back. */
async function findTime(db: Database, tenant: Tenant, at: string, last: number): Promise<number> {
  const oldest = await findNextPosition(db, tenant, 0)
  if (!oldest) return last
  if (oldest.created_at >= at) return oldest.position - 1
  let lowest = last + 1
  let after = { created_at: at, event_id: '' }
  for (;;) {
    const { position, next } = await findLowestPosition(db, tenant, after, SLICE_EVENTS)
    lowest = Math.min(lowest, position ?? lowest)
    if (!next) return lowest - 1
    after = next
    await yieldToEventLoop()
  }
}

async function checkCursor(db: Database, tenant: Tenant, cursor: string, last: number): Promise<number> {
  const position = parseEventCursor(tenant, cursor)
  if (position === null || position > last) throw createSinceError(cursor, 'cursor_unknown', UNKNOWN_CURSOR)
  if (position === last) return position
  const next = await findNextPosition(db, tenant, position)
  // Positions have no gaps, so a missing one was deleted.
  if (next?.position !== position + 1) throw createSinceError(cursor, 'cursor_expired', EXPIRED_CURSOR)
  return position
}

const UNKNOWN_EVENT = 'No such event exists, or it is past its retention time. Use a timestamp instead'
const UNKNOWN_CURSOR =
  'This is not a next_since of this merchant and mode, or the store was restored to an earlier state. Use a timestamp instead'
const EXPIRED_CURSOR = 'Events after this position are past their retention time. Use a timestamp instead'

const createSinceError = (input: string, type: string, msg: string) =>
  new InvalidInput([{ type, loc: ['query', 'since'], input, msg }])
