import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createNotFound } from '../../errors.ts'
import { transact } from '../../storage/transact.ts'
import { deleteDeliveries } from '../../storage/webhooks/deliveries.ts'
import { deleteSubscription, lockSubscription } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import type { SubscriptionDependencies } from './create-subscription.ts'

const DELETE_BATCH = 500

/** Deletes a subscription, then its deliveries in batches, so that other transactions do not wait long. */
export async function removeSubscription(
  { db }: Pick<SubscriptionDependencies, 'db'>,
  tenant: Tenant,
  id: string,
): Promise<void> {
  await transact(db, async (transaction) => {
    if (!(await lockSubscription(transaction, tenant, id))) throw createNotFound('subscription')
    await deleteSubscription(transaction, id)
  })
  const deleteBatch = () => transact(db, (transaction) => deleteDeliveries(transaction, id, DELETE_BATCH))
  while ((await deleteBatch()) === DELETE_BATCH) await yieldToEventLoop()
}
