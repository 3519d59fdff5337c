import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { WebhookEndpoint } from '../storage/webhooks/subscription-endpoints.ts'
import type { SubscriptionRecord } from '../storage/webhooks/subscriptions.ts'
import type { WebhookRequest } from './delivery-attempt-types.ts'

export type EncryptedSigningSecrets = Pick<
  WebhookEndpoint,
  'subscription_id' | 'secret' | 'previous_secret' | 'previous_secret_expires_at'
>

const MAX_CACHED = 2_000
const SECRET_BYTES = 32
const HINT_LENGTH = 4

/** The purpose that a subscription's secrets are encrypted for. */
const toSigningSecretPurpose = (subscriptionId: string): string => `subscription ${subscriptionId}`

/** Generates the secret that signs a subscription's deliveries. It is shown once and stored encrypted. */
export const createSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** Returns the columns that store a secret. */
export function encryptSigningSecret(secretCipher: SecretCipher, subscriptionId: string, secret: string) {
  return {
    secret: secretCipher.encrypt(secret, toSigningSecretPurpose(subscriptionId)),
    secret_hint: secret.slice(-HINT_LENGTH),
  }
}

/** Decrypts a subscription's current secret. Throws if its encryption key is not configured. */
export const decryptCurrentSecret = (
  secretCipher: SecretCipher,
  { subscription_id, secret }: SubscriptionRecord,
): string => secretCipher.decrypt(secret, toSigningSecretPurpose(subscription_id))

/** Decrypts the current secret and, during a rotation, the previous one. Throws if one cannot be decrypted. */
export function decryptSigningSecrets(
  secretCipher: Pick<SecretCipher, 'decrypt'>,
  encrypted: EncryptedSigningSecrets,
  now: number,
): WebhookRequest['secrets'] {
  const purpose = toSigningSecretPurpose(encrypted.subscription_id)
  const current = secretCipher.decrypt(encrypted.secret, purpose)
  if (encrypted.previous_secret === null || findPreviousSecretExpiry(encrypted, now) === null) return [current]
  return [current, secretCipher.decrypt(encrypted.previous_secret, purpose)]
}

/** Returns the time until which the previous secret signs too; `null`: it does not. */
export function findPreviousSecretExpiry(
  { previous_secret_expires_at: end }: Pick<EncryptedSigningSecrets, 'previous_secret_expires_at'>,
  now: number,
): string | null {
  return end !== null && Date.parse(end) > now ? end : null
}

/** Caches decrypted secrets, so that each is decrypted once for many deliveries. */
export function createDecryptionCache(secretCipher: Pick<SecretCipher, 'decrypt'>): Pick<SecretCipher, 'decrypt'> {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED })
  return {
    decrypt(encrypted, purpose) {
      const key = `${purpose}\n${encrypted}`
      const cached = cache.get(key)
      if (cached !== undefined) return cached
      const secret = secretCipher.decrypt(encrypted, purpose)
      cache.set(key, secret)
      return secret
    },
  }
}
