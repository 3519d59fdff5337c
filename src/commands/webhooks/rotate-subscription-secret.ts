import { Problem } from '../../errors.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { syncWal } from '../../storage/wal-sync.ts'
import { lockSubscription, updateSubscription } from '../../storage/webhooks/subscriptions.ts'
import { createSigningSecret, encryptSigningSecret } from '../../webhooks/create-signing-secret.ts'
import {
  type IdempotencyMarker,
  readAppliedSubscription,
  type SubscriptionAndSecret,
  type SubscriptionDependencies,
} from './create-subscription.ts'

/** Gives a subscription a new secret. The one that it had signs beside it for that long; any before that is forgotten at once. */
export async function rotateSubscriptionSecret(
  { db, vault, now }: Pick<SubscriptionDependencies, 'db' | 'vault' | 'now'>,
  realm: TenantColumns,
  id: string,
  { graceMs }: { graceMs: number },
  before: IdempotencyMarker | null,
): Promise<SubscriptionAndSecret> {
  if (before?.applied) return readAppliedSubscription({ db, vault }, realm, before.applied)
  const secret = createSigningSecret()
  const at = now()
  const record = await transact(db, async (transaction) => {
    const held = await lockSubscription(transaction, realm, id)
    if (!held) throw new Problem('not_found')
    const change = {
      ...encryptSigningSecret(vault, id, secret),
      previous_secret: graceMs > 0 ? held.secret : null,
      previous_secret_expires_at: graceMs > 0 ? new Date(at + graceMs).toISOString() : null,
      updated_at: new Date(at).toISOString(),
    }
    await updateSubscription(transaction, id, change)
    await before?.mark(transaction, { subscription_id: id })
    return { ...held, ...change }
  })
  await syncWal(db)
  return { record, secret }
}
