import { randomUUID } from 'node:crypto'
import { eventKinds, isSubscribedTo } from '../../contract/event.ts'
import { InvalidInput, Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import { type DeliveryRow, findDelivery, insertDeliveries } from '../../storage/webhooks/deliveries.ts'
import { type EventRow, findEvent, listUndeliveredEvents } from '../../storage/webhooks/events.ts'
import { coalescedEventKinds, createPendingDelivery, toCoalesceKey } from '../../storage/webhooks/outbox.ts'
import { lockSubscription, type SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'
import type { IdempotencyMarker } from '../idempotency-marker.ts'

/** The maximum of deliveries that one call schedules. */
export const MAX_RECOVERED_DELIVERIES = 1_000

type RecoveryDependencies = Pick<CommandDependencies, 'db' | 'now'>

/** Schedules the event of a delivery again, due now. Throws `not_found` if the event is past its retention time, and `rate_limited`. */
export async function redeliver(
  { db, now, throttle }: RecoveryDependencies & Pick<CommandDependencies, 'throttle'>,
  tenant: Tenant,
  { subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string },
  idempotency: IdempotencyMarker | null,
): Promise<DeliveryRow> {
  await throttle.take('redeliveries', tenant, 'all')
  return transact(db, async (transaction) => {
    const appliedId = (idempotency?.applied as { delivery_id: string } | null | undefined)?.delivery_id
    const subscription = await requireLocked(transaction, tenant, subscriptionId)
    const existing = await findDelivery(transaction, subscriptionId, appliedId ?? deliveryId)
    if (!existing) throw new Problem('not_found')
    if (appliedId) return existing
    assertEnabled(subscription)
    const event = await findEvent(transaction, tenant, existing.event_id)
    if (!event) throw new Problem('not_found', 'The event is past its retention time.')
    const delivery = {
      ...createDelivery(subscription, event, new Date(now()).toISOString()),
      cause: 'REDELIVERY' as const,
    }
    await insertDeliveries(transaction, [delivery])
    await idempotency?.recordApplied(transaction, { delivery_id: delivery.delivery_id })
    return delivery
  })
}

/** Schedules the events of a time range that an endpoint missed, the oldest first, up to a maximum per call. Throws `rate_limited`. */
export async function recoverDeliveries(
  { db, now, throttle }: RecoveryDependencies & Pick<CommandDependencies, 'throttle'>,
  tenant: Tenant,
  subscriptionId: string,
  { since, until }: { since: string; until: string | undefined },
): Promise<{ scheduled: number; has_more: boolean }> {
  await throttle.take('recoveries', tenant, 'all')
  const at = new Date(now()).toISOString()
  const end = until ?? at
  return transact(db, async (transaction) => {
    const subscription = await requireLocked(transaction, tenant, subscriptionId)
    if (since > end) throw createRangeError(since)
    assertEnabled(subscription)
    const types = eventKinds.filter((kind) => isSubscribedTo(subscription.event_types, kind))
    const range = { subscriptionId, since, until: end, types, coalescedTypes: [...coalescedEventKinds] }
    const missed = await listUndeliveredEvents(transaction, tenant, range, MAX_RECOVERED_DELIVERIES + 1)
    const deliveries = missed.slice(0, MAX_RECOVERED_DELIVERIES).map((event) => ({
      ...createDelivery(subscription, event, at),
      cause: 'RECOVERY' as const,
      coalesce: toCoalesceKey(event.type, event.resource_id),
    }))
    await insertDeliveries(transaction, deliveries)
    return { scheduled: deliveries.length, has_more: missed.length > deliveries.length }
  })
}

async function requireLocked(transaction: Database, tenant: Tenant, id: string): Promise<SubscriptionRecord> {
  const record = await lockSubscription(transaction, tenant, id)
  if (!record) throw new Problem('not_found')
  return record
}

function assertEnabled({ status }: SubscriptionRecord): void {
  if (status === 'DISABLED') throw new Problem('subscription_disabled')
}

/** Not coalesced: a requested delivery is not superseded by a newer event. */
function createDelivery(
  { subscription_id, tenant_id, mode }: SubscriptionRecord,
  { event_id, type }: Pick<EventRow, 'event_id' | 'type'>,
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
    ...createPendingDelivery(at, at),
  }
}

const createRangeError = (since: string) =>
  new InvalidInput([
    { type: 'since_after_until', loc: ['body', 'since'], msg: 'since should not be after until', input: since },
  ])
