import { createNotFound, Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { lockSubscription, type SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'

/** Locks a tenant's subscription for the transaction, and returns it. Throws `not_found`. */
export async function requireLockedSubscription(
  transaction: Database,
  tenant: Tenant,
  id: string,
): Promise<SubscriptionRecord> {
  const record = await lockSubscription(transaction, tenant, id)
  if (!record) throw createNotFound('subscription')
  return record
}

/** Throws `subscription_disabled`. */
export function assertSubscriptionEnabled({ status }: SubscriptionRecord): void {
  if (status === 'DISABLED') throw new Problem('subscription_disabled')
}
