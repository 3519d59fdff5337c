import { LRUCache } from 'lru-cache'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { WebhookEndpoint } from '../storage/webhooks/delivery-queue.ts'
import type { WebhookRequest } from './webhook-request.ts'

export type EncryptedSigningSecrets = Pick<
  WebhookEndpoint,
  'subscription_id' | 'secret' | 'previous_secret' | 'previous_secret_expires_at'
>

const KEPT = 2_000

/** What a subscription's secrets are sealed for. */
export const toSigningSecretPurpose = (subscriptionId: string): string => `subscription ${subscriptionId}`

/** The secret that signs at this instant, then, during a rotation, the one before. Throws when one of them cannot be opened. */
export function decryptSigningSecrets(
  vault: Pick<SecretCipher, 'open'>,
  sealed: EncryptedSigningSecrets,
  now: number,
): WebhookRequest['secrets'] {
  const purpose = toSigningSecretPurpose(sealed.subscription_id)
  const current = vault.open(sealed.secret, purpose)
  if (sealed.previous_secret === null || findPreviousSecretExpiry(sealed, now) === null) return [current]
  return [current, vault.open(sealed.previous_secret, purpose)]
}

/** Until when the secret before signs too; `null`: it does not. */
export function findPreviousSecretExpiry(
  { previous_secret_expires_at: end }: Pick<EncryptedSigningSecrets, 'previous_secret_expires_at'>,
  now: number,
): string | null {
  return end !== null && Date.parse(end) > now ? end : null
}

/** Opens a secret once for many deliveries. */
export function createDecryptionCache(vault: Pick<SecretCipher, 'open'>): Pick<SecretCipher, 'open'> {
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
