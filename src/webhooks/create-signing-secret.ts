import { randomBytes } from 'node:crypto'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { SubscriptionRecord } from '../storage/webhooks/subscriptions.ts'
import { toSigningSecretPurpose } from './signing-secrets.ts'

const SECRET_BYTES = 32
const HINT_LENGTH = 4

/** What a subscription's deliveries are signed with: it is told once, and stored sealed. */
export const createSigningSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The columns of a secret. */
export function encryptSigningSecret(vault: SecretCipher, subscriptionId: string, secret: string) {
  return { secret: vault.seal(secret, toSigningSecretPurpose(subscriptionId)), secret_hint: secret.slice(-HINT_LENGTH) }
}

/** Throws when it was sealed with a key that is not configured. */
export const decryptCurrentSecret = (vault: SecretCipher, { subscription_id, secret }: SubscriptionRecord): string =>
  vault.open(secret, toSigningSecretPurpose(subscription_id))
