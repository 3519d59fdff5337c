import { LRUCache } from 'lru-cache'
import type { Database } from '../storage/database.ts'
import { findEventRows } from '../storage/webhooks/delivery-queue.ts'
import { toEventEnvelope } from './event-envelope.ts'

const KEPT_BYTES = 8 * 1_048_576
const ENTRY_BYTES = 256

/** The bytes that are signed and sent, made once for all who get an event. */
export function createEventBodyCache(db: Database) {
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    maxEntrySize: KEPT_BYTES / 8,
    sizeCalculation: (body) => body.length + ENTRY_BYTES,
  })
  /** Of these events; one that is gone is left out. */
  return async function bodiesOf(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>()
    const missing = new Set<string>()
    for (const id of ids) {
      const body = kept.get(id)
      if (body) found.set(id, body)
      else missing.add(id)
    }
    for (const row of await findEventRows(db, [...missing])) {
      const body = Buffer.from(JSON.stringify(toEventEnvelope(row)))
      kept.set(row.event_id, body)
      found.set(row.event_id, body)
    }
    return found
  }
}
