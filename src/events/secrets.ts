import { LRUCache } from 'lru-cache'
import type { Endpoint } from '../storage/deliveries.ts'
import type { Vault } from '../storage/vault.ts'
import type { Parcel } from './parcel.ts'

const KEPT = 2_000

/** The secrets that sign for an endpoint at this instant, opened. Throws when the current one cannot be. */
export function createSecrets(vault: Pick<Vault, 'open'>) {
  const opened = new LRUCache<string, string>({ max: KEPT })

  function open(sealed: string, subscriptionId: string): string {
    const known = opened.get(sealed)
    if (known !== undefined) return known
    const secret = vault.open(sealed, `subscription ${subscriptionId}`)
    opened.set(sealed, secret)
    return secret
  }

  return function secretsOf(endpoint: Endpoint, now: number): Parcel['secrets'] {
    const { subscription_id, secret, previous_secret, previous_secret_expires_at } = endpoint
    const current = open(secret, subscription_id)
    if (previous_secret === null || Date.parse(previous_secret_expires_at ?? '') <= now) return [current]
    return [current, open(previous_secret, subscription_id)]
  }
}
