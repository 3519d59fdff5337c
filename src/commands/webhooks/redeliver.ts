import { createNotFound, Problem } from '../../errors.ts'
import { transact } from '../../storage/transact.ts'
import { type DeliveryRow, findDelivery, insertDeliveries } from '../../storage/webhooks/deliveries.ts'
import { findEvent } from '../../storage/webhooks/event-queries.ts'
import type { Tenant } from '../../tenant.ts'
import type { AppliedWriteRecord } from '../applied-write-record.ts'
import type { CommandDependencies } from '../command-context.ts'
import { createRequestedDelivery } from './create-requested-delivery.ts'
import { assertSubscriptionEnabled, requireLockedSubscription } from './require-locked-subscription.ts'

/** Schedules the event of a delivery again, due now. Throws `not_found` if the event is past its retention time, and `rate_limited`. */
export async function redeliver(
  { db, now, throttle }: Pick<CommandDependencies, 'db' | 'now' | 'throttle'>,
  tenant: Tenant,
  { subscriptionId, deliveryId }: { subscriptionId: string; deliveryId: string },
  idempotency: AppliedWriteRecord | null,
): Promise<DeliveryRow> {
  await throttle.take('redeliveries', tenant, 'all')
  return transact(db, async (transaction) => {
    const appliedId = (idempotency?.applied as { delivery_id: string } | null | undefined)?.delivery_id
    const subscription = await requireLockedSubscription(transaction, tenant, subscriptionId)
    const existing = await findDelivery(transaction, subscriptionId, appliedId ?? deliveryId)
    if (!existing) throw createNotFound('delivery')
    if (appliedId) return existing
    assertSubscriptionEnabled(subscription)
    const event = await findEvent(transaction, tenant, existing.event_id)
    if (!event) throw new Problem('not_found', 'The event is past its retention time.')
    const delivery = {
      ...createRequestedDelivery(subscription, event, new Date(now()).toISOString()),
      cause: 'REDELIVERY' as const,
    }
    await insertDeliveries(transaction, [delivery])
    await idempotency?.recordApplied(transaction, { delivery_id: delivery.delivery_id })
    return delivery
  })
}
