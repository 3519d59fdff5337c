import { EVENT_API_VERSION, type EventEnvelope } from '../contract/webhook.ts'
import type { Tables } from '../storage/tables.ts'

/** An event as it is sent and listed. The same row gives the same bytes for ever, so that each attempt carries the same body. */
export function toEventEnvelope(event: Tables['events']): EventEnvelope {
  const { event_id, type, created_at, mode, tenant_id, resource_type, resource_id, sequence, data } = event
  return {
    ...{ id: event_id, type, created_at, api_version: EVENT_API_VERSION, mode, tenant_id },
    resource: { type: resource_type as EventEnvelope['resource']['type'], id: resource_id },
    ...{ sequence, data: JSON.parse(data) as Record<string, unknown> },
  }
}
