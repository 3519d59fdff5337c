import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { eventKinds, isSubscribedTo } from '../../contract/events/event-types.ts'
import { InvalidInput } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { tenantOf } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import { insertDeliveries } from '../../storage/webhooks/deliveries.ts'
import { coalescedEventKinds, toCoalesceKey } from '../../storage/webhooks/outbox.ts'
import type { SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import { type ExaminedEvent, listUndeliveredEvents } from '../../storage/webhooks/undelivered-events.ts'
import type { Tenant } from '../../tenant.ts'
import type { CommandDependencies } from '../command-context.ts'
import { bringDeliveriesForward, type EventTimeRange } from './bring-deliveries-forward.ts'
import { createRequestedDelivery } from './create-requested-delivery.ts'
import { assertSubscriptionEnabled, requireLockedSubscription } from './require-locked-subscription.ts'

/** The maximum number of deliveries that one call schedules. */
export const MAX_RECOVERED_DELIVERIES = 1_000

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
  { db, now, throttle }: Pick<CommandDependencies, 'db' | 'now' | 'throttle'>,
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
      const subscription = await requireLockedSubscription(transaction, tenant, subscriptionId)
      if (since > range.until) throw createRangeError(since)
      assertSubscriptionEnabled(subscription)
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
    ...createRequestedDelivery(subscription, event, at),
    cause: 'RECOVERY' as const,
    coalesce: toCoalesceKey(event.type, event.resource_id),
  }))
  await insertDeliveries(transaction, deliveries)
  return { scheduled: deliveries.length, hasMore: deliveries.length < events.length, next }
}

const createRangeError = (since: string) =>
  new InvalidInput([
    { type: 'since_after_until', loc: ['body', 'since'], msg: 'since should not be after until', input: since },
  ])
