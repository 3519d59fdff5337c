import { createNotFound } from '../../errors.ts'
import { syncWal } from '../../storage/sqlite/sync-wal.ts'
import { transact } from '../../storage/transact.ts'
import { lockSubscription, updateSubscription } from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import { createSigningSecret, encryptSigningSecret } from '../../webhooks/signing-secrets.ts'
import type { AppliedWriteRecord } from '../applied-write-record.ts'
import type { SubscriptionAndSecret, SubscriptionDependencies } from './create-subscription.ts'
import { readAppliedSubscription } from './read-applied-subscription.ts'

/** Replaces a subscription's secret. The previous one signs too during the grace period; an older one is deleted at once. */
export async function rotateSubscriptionSecret(
  { db, secretCipher, now }: Pick<SubscriptionDependencies, 'db' | 'secretCipher' | 'now'>,
  tenant: Tenant,
  id: string,
  { graceMs }: { graceMs: number },
  idempotency: AppliedWriteRecord | null,
): Promise<SubscriptionAndSecret> {
  if (idempotency?.applied) return readAppliedSubscription({ db, secretCipher }, tenant, idempotency.applied)
  const secret = createSigningSecret()
  const at = now()
  const record = await transact(db, async (transaction) => {
    const current = await lockSubscription(transaction, tenant, id)
    if (!current) throw createNotFound('subscription')
    const change = {
      ...encryptSigningSecret(secretCipher, id, secret),
      previous_secret: graceMs > 0 ? current.secret : null,
      previous_secret_expires_at: graceMs > 0 ? new Date(at + graceMs).toISOString() : null,
      updated_at: new Date(at).toISOString(),
    }
    await updateSubscription(transaction, id, change)
    await idempotency?.recordApplied(transaction, { subscription_id: id })
    return { ...current, ...change }
  })
  await syncWal(db)
  return { record, secret }
}
