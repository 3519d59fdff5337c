import { createNotFound } from '../../errors.ts'
import { findSubscription } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import { decryptCurrentSecret } from '../../webhooks/signing-secrets.ts'
import type { SubscriptionAndSecret, SubscriptionDependencies } from './create-subscription.ts'

/** Returns the result of an earlier request whose response was lost. */
export async function readAppliedSubscription(
  { db, secretCipher }: Pick<SubscriptionDependencies, 'db' | 'secretCipher'>,
  tenant: Tenant,
  applied: unknown,
): Promise<SubscriptionAndSecret> {
  const record = await findSubscription(db, tenant, (applied as { subscription_id: string }).subscription_id)
  if (!record) throw createNotFound('subscription')
  return { record, secret: decryptCurrentSecret(secretCipher, record) }
}
