import { createNotFound } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { findSubscription, type SubscriptionRecord } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'

/** Returns a tenant's subscription. Throws `not_found` for an unknown one and for another tenant's alike. */
export async function requireSubscription(db: Database, tenant: Tenant, id: string): Promise<SubscriptionRecord> {
  const record = await findSubscription(db, tenant, id)
  if (!record) throw createNotFound('subscription')
  return record
}
