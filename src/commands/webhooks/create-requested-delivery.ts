import { randomUUID } from 'node:crypto'
import type { DeliveryRow } from '../../storage/webhooks/deliveries.ts'
import type { EventRow } from '../../storage/webhooks/event-queries.ts'
import { createPendingDelivery } from '../../storage/webhooks/outbox.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'

/** Not coalesced: a requested delivery is not superseded by a newer event. It is not sent before the event is released. */
export function createRequestedDelivery(
  { subscription_id, tenant_id, mode }: SubscriptionRecord,
  { event_id, type, held_until }: Pick<EventRow, 'event_id' | 'type' | 'held_until'>,
  at: string,
): DeliveryRow {
  const delivery_id = randomUUID()
  return {
    delivery_id,
    subscription_id,
    tenant_id,
    mode,
    event_id,
    event_type: type,
    coalesce: null,
    ...createPendingDelivery(at, held_until !== null && held_until > at ? held_until : at),
  }
}
