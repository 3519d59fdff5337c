import type { EventEnvelope } from '../contract/events/event-envelope.ts'
import { EVENT_API_VERSION } from '../contract/events/event-types.ts'
import type { EventRow } from '../storage/webhooks/event-queries.ts'

/** Converts an event row to the envelope that is sent and listed. The same row always gives the same bytes, so that all attempts have the same body. */
export function toEventEnvelope(event: Omit<EventRow, 'position' | 'held_until'>): EventEnvelope {
  const { event_id, type, created_at, mode, tenant_id, resource_type, resource_id, sequence, data } = event
  return {
    id: event_id,
    type,
    created_at,
    api_version: EVENT_API_VERSION,
    mode,
    tenant_id,
    resource: { type: resource_type as EventEnvelope['resource']['type'], id: resource_id },
    sequence,
    data: JSON.parse(data) as Record<string, unknown>,
  }
}
