import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { eventKinds, isSubscribedTo } from '../../contract/event-types.ts'
import { createNotFound, InvalidInput, Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import { type DeliveryRow, findDelivery, insertDeliveries } from '../../storage/webhooks/deliveries.ts'
import { type EventRow, findEvent } from '../../storage/webhooks/event-queries.ts'
import { coalescedEventKinds, createPendingDelivery, toCoalesceKey } from '../../storage/webhooks/outbox.ts'
import { lockSubscription, type SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import { type ExaminedEvent, listUndeliveredEvents } from '../../storage/webhooks/undelivered-events.ts'
import type { Tenant } from '../../tenant.ts'
import type { AppliedWriteRecord } from '../applied-write-record.ts'
import type { CommandDependencies } from '../command-context.ts'
import { bringDeliveriesForward, type EventTimeRange } from './bring-deliveries-forward.ts'

/** The maximum number of deliveries that one call schedules. */
export const MAX_RECOVERED_DELIVERIES = 1_000

type RecoveryDependencies = Pick<CommandDependencies, 'db' | 'now'>

/** Schedules the event of a delivery again, due now. Throws `not_found` if the event is past its retention time, and `rate_limited`. */
export async function redeliver(
  { db, now, throttle }: RecoveryDependencies & Pick<CommandDependencies, 'throttle'>,
  tenant: Tenant,
  { subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string },
  idempotency: AppliedWriteRecord | null,
): Promise<DeliveryRow> {
  await throttle.take('redeliveries', tenant, 'all')
  return transact(db, async (transaction) => {
    const appliedId = (idempotency?.applied as { delivery_id: string } | null | undefined)?.delivery_id
    const subscription = await requireLocked(transaction, tenant, subscriptionId)
    const existing = await findDelivery(transaction, subscriptionId, appliedId ?? deliveryId)
    if (!existing) throw createNotFound('delivery')
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

export interface RecoveryResult {
  scheduled: number
  brought_forward: number
  has_more: boolean
}

/**
 * Schedules the events of a time range that an endpoint missed, the oldest first, and brings forward those that wait for their next attempt,
 * each up to a maximum per call. Throws `rate_limited`.
 */
export async function recoverDeliveries(
  { db, now, throttle }: RecoveryDependencies & Pick<CommandDependencies, 'throttle'>,
  tenant: Tenant,
  subscriptionId: string,
  { since, until }: { since: string; until: string | undefined },
): Promise<RecoveryResult> {
  await throttle.take('recoveries', tenant, 'all')
  const startedAt = now()
  const at = new Date(startedAt).toISOString()
  const range = { since, until: until ?? at }
  let scheduled = 0
  let slice: RecoveredSlice = { scheduled: 0, hasMore: false, next: null }
  do {
    const { next: after } = slice
    slice = await transact(db, async (transaction) => {
      const subscription = await requireLocked(transaction, tenant, subscriptionId)
      if (since > range.until) throw createRangeError(since)
      assertEnabled(subscription)
      const limit = MAX_RECOVERED_DELIVERIES - scheduled
      return scheduleUndelivered(transaction, subscription, range, { after, limit, at })
    })
    scheduled += slice.scheduled
    await yieldToEventLoop()
  } while (slice.next !== null && !slice.hasMore)
  const { broughtForward, hasMore } = await bringDeliveriesForward(db, subscriptionId, range, startedAt)
  return { scheduled, brought_forward: broughtForward, has_more: slice.hasMore || hasMore }
}

interface RecoveredSlice {
  scheduled: number
  /** The slice has more events than could be scheduled. */
  hasMore: boolean
  next: ExaminedEvent | null
}

/** Examines a slice of the events, so that others can use the store in between, and schedules those that were not delivered. */
async function scheduleUndelivered(
  transaction: Database,
  subscription: SubscriptionRecord,
  range: EventTimeRange,
  { after, limit, at }: { after: ExaminedEvent | null; limit: number; at: string },
): Promise<RecoveredSlice> {
  const { subscription_id: subscriptionId, event_types } = subscription
  const types = eventKinds.filter((kind) => isSubscribedTo(event_types, kind))
  const query = { subscriptionId, ...range, types, coalescedTypes: [...coalescedEventKinds] }
  const { events, next } = await listUndeliveredEvents(transaction, tenantOf(subscription), query, after)
  const deliveries = events.slice(0, limit).map((event) => ({
    ...createDelivery(subscription, event, at),
    cause: 'RECOVERY' as const,
    coalesce: toCoalesceKey(event.type, event.resource_id),
  }))
  await insertDeliveries(transaction, deliveries)
  return { scheduled: deliveries.length, hasMore: deliveries.length < events.length, next }
}

async function requireLocked(transaction: Database, tenant: Tenant, id: string): Promise<SubscriptionRecord> {
  const record = await lockSubscription(transaction, tenant, id)
  if (!record) throw createNotFound('subscription')
  return record
}

function assertEnabled({ status }: SubscriptionRecord): void {
  if (status === 'DISABLED') throw new Problem('subscription_disabled')
}

/** Not coalesced: a requested delivery is not superseded by a newer event. It is not sent before the event is released. */
function createDelivery(
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

const createRangeError = (since: string) =>
  new InvalidInput([
    { type: 'since_after_until', loc: ['body', 'since'], msg: 'since should not be after until', input: since },
  ])
