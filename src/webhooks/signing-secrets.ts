import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../storage/webhooks/delivery-queue.ts'
import type { Vault } from '../storage/keys/secret-encryption.ts'
import type { Parcel } from './webhook-request.ts'

export type SealedSecrets = Pick<
  Endpoint,
  'subscription_id' | 'secret' | 'previous_secret' | 'previous_secret_expires_at'
>

const KEPT = 2_000

/** What a subscription's secrets are sealed for. */
export const purposeOf = (subscriptionId: string): string => `subscription ${subscriptionId}`

/** The secret that signs at this instant, then, during a rotation, the one before. Throws when one of them cannot be opened. */
export function signingSecrets(vault: Pick<Vault, 'open'>, sealed: SealedSecrets, now: number): Parcel['secrets'] {
  const purpose = purposeOf(sealed.subscription_id)
  const current = vault.open(sealed.secret, purpose)
  if (sealed.previous_secret === null || previousExpiry(sealed, now) === null) return [current]
  return [current, vault.open(sealed.previous_secret, purpose)]
}

/** Until when the secret before signs too; `null`: it does not. */
export function previousExpiry(
  { previous_secret_expires_at: end }: Pick<SealedSecrets, 'previous_secret_expires_at'>,
  now: number,
): string | null {
  return end !== null && Date.parse(end) > now ? end : null
}

/** Opens a secret once for many deliveries. */
export function openedOnce(vault: Pick<Vault, 'open'>): Pick<Vault, 'open'> {
  const opened = new LRUCache<string, string>({ max: KEPT })
  return {
    open(sealed, purpose) {
      const key = `${purpose}\n${sealed}`
      const known = opened.get(key)
      if (known !== undefined) return known
      const secret = vault.open(sealed, purpose)
      opened.set(key, secret)
      return secret
    },
  }
}
