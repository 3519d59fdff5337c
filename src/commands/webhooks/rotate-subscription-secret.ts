import { Problem } from '../../errors.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import { holdSubscription, updateSubscription } from '../../storage/webhooks/subscriptions.ts'
import { transact } from '../../storage/transact.ts'
import { writtenThrough } from '../../storage/wal-sync.ts'
import { type Before, type Revealed, revealedAgain, type Writing } from './create-subscription.ts'
import { makeSecret, sealedSecret } from '../../webhooks/create-signing-secret.ts'

/** Gives a subscription a new secret. The one that it had signs beside it for that long; any before that is forgotten at once. */
export async function rotateSecret(
  { db, vault, now }: Pick<Writing, 'db' | 'vault' | 'now'>,
  realm: Realm,
  id: string,
  { graceMs }: { graceMs: number },
  before: Before | null,
): Promise<Revealed> {
  if (before?.applied) return revealedAgain({ db, vault }, realm, before.applied)
  const secret = makeSecret()
  const at = now()
  const record = await transact(db, async (transaction) => {
    const held = await holdSubscription(transaction, realm, id)
    if (!held) throw new Problem('not_found')
    const change = {
      ...sealedSecret(vault, id, secret),
      previous_secret: graceMs > 0 ? held.secret : null,
      previous_secret_expires_at: graceMs > 0 ? new Date(at + graceMs).toISOString() : null,
      updated_at: new Date(at).toISOString(),
    }
    await updateSubscription(transaction, id, change)
    await before?.mark(transaction, { subscription_id: id })
    return { ...held, ...change }
  })
  await writtenThrough(db)
  return { record, secret }
}
