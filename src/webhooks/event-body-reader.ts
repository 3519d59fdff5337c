import type { Database } from '../storage/database.ts'
import { findEventRows } from '../storage/webhooks/event-queries.ts'
import { toEventEnvelope } from './to-event-envelope.ts'

export type EventBodyReader = ReturnType<typeof createEventBodyReader>

/**
 * Returns a function that reads the bytes that are signed and sent, so that an event is serialized once for all its endpoints. Create one
 * for each round: what it has read stays in memory as long as it does, and later rounds rarely need the same events.
 */
export function createEventBodyReader(db: Database) {
  const bodies = new Map<string, Buffer>()
  /** Returns the bodies of events; deleted events are left out. */
  return async function readBodies(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const missing = ids.filter((id) => !bodies.has(id))
    for (const row of await findEventRows(db, missing))
      bodies.set(row.event_id, Buffer.from(JSON.stringify(toEventEnvelope(row))))
    return bodies
  }
}
