import { MAX_SUBSCRIPTIONS } from '../../contract/webhook.ts'
import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { Realm } from '../../storage/shoppers/shopper-accounts.ts'
import {
  findSubscription,
  holdSubscriptions,
  insertSubscription,
  listSubscriptions,
  makeSubscriptionId,
  type SubscriptionRecord,
} from '../../storage/webhooks/subscriptions.ts'
import { transact } from '../../storage/transact.ts'
import { writtenThrough } from '../../storage/wal-sync.ts'
import type { Commerce } from '../command-context.ts'
import { makeSecret, openedSecret, sealedSecret } from '../../webhooks/create-signing-secret.ts'
import { judged } from './validate-subscription.ts'

export type Writing = Pick<Commerce, 'db' | 'vault' | 'endpoints' | 'now'>

/** Whether this request was acted upon before, by one that never got its answer. */
export interface Before {
  readonly applied: unknown
  mark(transaction: Database, applied: unknown): Promise<void>
}

/** A subscription together with the secret that is told this once. */
export interface Revealed {
  record: SubscriptionRecord
  secret: string
}

export interface NewSubscription {
  endpoint_url: string
  event_types: string[]
  description?: string | null
}

/** Subscribes an endpoint. Rejects with Invalid, and with Problem when there are too many, or one for that URL. */
export async function createSubscription(
  { db, vault, endpoints, now }: Writing,
  realm: Realm,
  wanted: NewSubscription,
  before: Before | null,
): Promise<Revealed> {
  if (before?.applied) return revealedAgain({ db, vault }, realm, before.applied)
  const { endpoint_url, event_types } = judged(wanted, endpoints) as NewSubscription
  const secret = makeSecret()
  const subscription_id = makeSubscriptionId()
  const at = new Date(now()).toISOString()
  const record: SubscriptionRecord = {
    ...{ subscription_id, ...realm, endpoint_url, event_types, description: wanted.description || null },
    ...{ status: 'ACTIVE', disabled_reason: null, disabled_at: null, ...sealedSecret(vault, subscription_id, secret) },
    ...{ previous_secret: null, previous_secret_expires_at: null, ...unfailed },
    ...{ last_delivery_at: null, last_success_at: null, created_at: at, updated_at: at },
  }
  await transact(db, async (transaction) => {
    await holdSubscriptions(transaction, realm)
    const others = await listSubscriptions(transaction, realm)
    mustBeFree(others, endpoint_url)
    if (others.length >= MAX_SUBSCRIPTIONS) throw new Problem('subscription_limit')
    await insertSubscription(transaction, record)
    await before?.mark(transaction, { subscription_id })
  })
  await writtenThrough(db)
  return { record, secret }
}

/** Of a subscription that nothing has gone wrong with yet. */
export const unfailed = { consecutive_failures: 0, exhausted: 0, failing_since: null } as const

/** Throws when one of these has that URL. */
export function mustBeFree(others: readonly SubscriptionRecord[], url: string): void {
  const same = others.find(({ endpoint_url }) => endpoint_url === url)
  if (same) throw new Problem('subscription_exists', undefined, { members: { subscription_id: same.subscription_id } })
}

/** The answer that was never got. */
export async function revealedAgain(
  { db, vault }: Pick<Writing, 'db' | 'vault'>,
  realm: Realm,
  applied: unknown,
): Promise<Revealed> {
  const record = await findSubscription(db, realm, (applied as { subscription_id: string }).subscription_id)
  if (!record) throw new Problem('not_found')
  return { record, secret: openedSecret(vault, record) }
}
