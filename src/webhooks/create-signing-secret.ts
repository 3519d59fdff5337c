import { randomBytes } from 'node:crypto'
import { purposeOf } from './signing-secrets.ts'
import type { SubscriptionRecord } from '../storage/webhooks/subscriptions.ts'
import type { Vault } from '../storage/keys/secret-encryption.ts'

const SECRET_BYTES = 32
const HINT_LENGTH = 4

/** What a subscription's deliveries are signed with: it is told once, and stored sealed. */
export const makeSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The columns of a secret. */
export function sealedSecret(vault: Vault, subscriptionId: string, secret: string) {
  return { secret: vault.seal(secret, purposeOf(subscriptionId)), secret_hint: secret.slice(-HINT_LENGTH) }
}

/** Throws when it was sealed with a key that is not configured. */
export const openedSecret = (vault: Vault, { subscription_id, secret }: SubscriptionRecord): string =>
  vault.open(secret, purposeOf(subscription_id))
