import { LRUCache } from 'lru-cache'
import type { Database } from '../storage/database.ts'
import { findEventRows } from '../storage/webhooks/delivery-queue.ts'
import { toEventEnvelope } from './event-envelope.ts'

const MAX_CACHE_BYTES = 8 * 1_048_576
const ENTRY_OVERHEAD_BYTES = 256

/** Caches the bytes that are signed and sent, so that an event is serialized once for all its endpoints. */
export function createEventBodyCache(db: Database) {
  const cache = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHE_BYTES,
    maxEntrySize: MAX_CACHE_BYTES / 8,
    sizeCalculation: (body) => body.length + ENTRY_OVERHEAD_BYTES,
  })
  /** Returns the bodies of events; deleted events are left out. */
  return async function readBodies(ids: readonly string[]): Promise<Map<string, Buffer>> {
    const bodies = new Map<string, Buffer>()
    const missing = new Set<string>()
    for (const id of ids) {
      const cached = cache.get(id)
      if (cached) bodies.set(id, cached)
      else missing.add(id)
    }
    for (const row of await findEventRows(db, [...missing])) {
      const body = Buffer.from(JSON.stringify(toEventEnvelope(row)))
      cache.set(row.event_id, body)
      bodies.set(row.event_id, body)
    }
    return bodies
  }
}
