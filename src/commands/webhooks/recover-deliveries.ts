import { randomUUID } from 'node:crypto'
import { eventKinds, isSubscribedTo } from '../../contract/webhook.ts'
import { InvalidInput, Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { type DeliveryRow, findDelivery, insertDeliveries } from '../../storage/webhooks/deliveries.ts'
import { type EventRow, findEvent, listUndeliveredEvents } from '../../storage/webhooks/events.ts'
import { coalescedEventKinds, createPendingDelivery, toCoalesceKey } from '../../storage/webhooks/outbox.ts'
import { lockSubscription, type SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import type { CommandDependencies } from '../command-context.ts'
import type { IdempotencyMarker } from './create-subscription.ts'

/** How many deliveries one call makes. */
export const MAX_RECOVERED_DELIVERIES = 1_000

type Scheduling = Pick<CommandDependencies, 'db' | 'now'>

/** Puts the event of a delivery on the schedule once more, due now. Rejects with Problem when the event is past its time, or there were many in a minute. */
export async function redeliver(
  { db, now, throttle }: Scheduling & Pick<CommandDependencies, 'throttle'>,
  realm: TenantColumns,
  { subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string },
  before: IdempotencyMarker | null,
): Promise<DeliveryRow> {
  await throttle.take('redeliveries', realm, 'all')
  return transact(db, async (transaction) => {
    const again = (before?.applied as { delivery_id: string } | null | undefined)?.delivery_id
    const subscription = await held(transaction, realm, subscriptionId)
    const known = await findDelivery(transaction, subscriptionId, again ?? deliveryId)
    if (!known) throw new Problem('not_found')
    if (again) return known
    mustDeliver(subscription)
    const event = await findEvent(transaction, realm, known.event_id)
    if (!event) throw new Problem('not_found', 'The event is past the time for which events are kept.')
    const made = { ...deliveryOf(subscription, event, new Date(now()).toISOString()), cause: 'REDELIVERY' as const }
    await insertDeliveries(transaction, [made])
    await before?.mark(transaction, { delivery_id: made.delivery_id })
    return made
  })
}

/** Puts the events of a range on the schedule that an endpoint missed: so many a call, the oldest first. Throws `rate_limited` when there were many in a minute. */
export async function recoverDeliveries(
  { db, now, throttle }: Scheduling & Pick<CommandDependencies, 'throttle'>,
  realm: TenantColumns,
  subscriptionId: string,
  { since, until }: { since: string; until: string | undefined },
): Promise<{ scheduled: number; has_more: boolean }> {
  await throttle.take('recoveries', realm, 'all')
  const at = new Date(now()).toISOString()
  const end = until ?? at
  return transact(db, async (transaction) => {
    const subscription = await held(transaction, realm, subscriptionId)
    if (since > end) throw afterItsEnd(since)
    mustDeliver(subscription)
    const kinds = eventKinds.filter((kind) => isSubscribedTo(subscription.event_types, kind))
    const range = { subscriptionId, since, until: end, kinds, coalescing: [...coalescedEventKinds] }
    const missed = await listUndeliveredEvents(transaction, realm, range, MAX_RECOVERED_DELIVERIES + 1)
    const made = missed.slice(0, MAX_RECOVERED_DELIVERIES).map((event) => ({
      ...deliveryOf(subscription, event, at),
      ...{ cause: 'RECOVERY' as const, coalesce: toCoalesceKey(event.type, event.resource_id) },
    }))
    await insertDeliveries(transaction, made)
    return { scheduled: made.length, has_more: missed.length > made.length }
  })
}

async function held(transaction: Database, realm: TenantColumns, id: string): Promise<SubscriptionRecord> {
  const record = await lockSubscription(transaction, realm, id)
  if (!record) throw new Problem('not_found')
  return record
}

function mustDeliver({ status }: SubscriptionRecord): void {
  if (status === 'DISABLED') throw new Problem('subscription_disabled')
}

/** No newer event takes its place: it was asked for. */
function deliveryOf(
  { subscription_id, tenant_id, mode }: SubscriptionRecord,
  { event_id, type }: Pick<EventRow, 'event_id' | 'type'>,
  at: string,
): DeliveryRow {
  const delivery_id = randomUUID()
  return {
    ...{ delivery_id, subscription_id, tenant_id, mode, event_id, event_type: type, coalesce: null },
    ...createPendingDelivery(at, at),
  }
}

const afterItsEnd = (since: string) =>
  new InvalidInput([
    { type: 'since_after_until', loc: ['body', 'since'], msg: 'since should not be after until', input: since },
  ])
