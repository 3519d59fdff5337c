import { MAX_SUBSCRIPTIONS } from '../../contract/webhook.ts'
import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { syncWal } from '../../storage/wal-sync.ts'
import {
  findSubscription,
  generateSubscriptionId,
  insertSubscription,
  listSubscriptions,
  lockTenantSubscriptions,
  type SubscriptionRecord,
} from '../../storage/webhooks/subscriptions.ts'
import {
  createSigningSecret,
  decryptCurrentSecret,
  encryptSigningSecret,
} from '../../webhooks/create-signing-secret.ts'
import type { CommandDependencies } from '../command-context.ts'
import { validateSubscription } from './validate-subscription.ts'

export type SubscriptionDependencies = Pick<CommandDependencies, 'db' | 'vault' | 'endpoints' | 'now'>

/** Whether this request was acted upon before, by one that never got its answer. */
export interface IdempotencyMarker {
  readonly applied: unknown
  mark(transaction: Database, applied: unknown): Promise<void>
}

/** A subscription together with the secret that is told this once. */
export interface SubscriptionAndSecret {
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
  { db, vault, endpoints, now }: SubscriptionDependencies,
  realm: TenantColumns,
  wanted: NewSubscription,
  before: IdempotencyMarker | null,
): Promise<SubscriptionAndSecret> {
  if (before?.applied) return readAppliedSubscription({ db, vault }, realm, before.applied)
  const { endpoint_url, event_types } = validateSubscription(wanted, endpoints) as NewSubscription
  const secret = createSigningSecret()
  const subscription_id = generateSubscriptionId()
  const at = new Date(now()).toISOString()
  const record: SubscriptionRecord = {
    ...{ subscription_id, ...realm, endpoint_url, event_types, description: wanted.description || null },
    ...{
      status: 'ACTIVE',
      disabled_reason: null,
      disabled_at: null,
      ...encryptSigningSecret(vault, subscription_id, secret),
    },
    ...{ previous_secret: null, previous_secret_expires_at: null, ...noFailures },
    ...{ last_delivery_at: null, last_success_at: null, created_at: at, updated_at: at },
  }
  await transact(db, async (transaction) => {
    await lockTenantSubscriptions(transaction, realm)
    const others = await listSubscriptions(transaction, realm)
    assertEndpointUrlUnused(others, endpoint_url)
    if (others.length >= MAX_SUBSCRIPTIONS) throw new Problem('subscription_limit')
    await insertSubscription(transaction, record)
    await before?.mark(transaction, { subscription_id })
  })
  await syncWal(db)
  return { record, secret }
}

/** Of a subscription that nothing has gone wrong with yet. */
export const noFailures = { consecutive_failures: 0, exhausted: 0, failing_since: null } as const

/** Throws when one of these has that URL. */
export function assertEndpointUrlUnused(others: readonly SubscriptionRecord[], url: string): void {
  const same = others.find(({ endpoint_url }) => endpoint_url === url)
  if (same) throw new Problem('subscription_exists', undefined, { members: { subscription_id: same.subscription_id } })
}

/** The answer that was never got. */
export async function readAppliedSubscription(
  { db, vault }: Pick<SubscriptionDependencies, 'db' | 'vault'>,
  realm: TenantColumns,
  applied: unknown,
): Promise<SubscriptionAndSecret> {
  const record = await findSubscription(db, realm, (applied as { subscription_id: string }).subscription_id)
  if (!record) throw new Problem('not_found')
  return { record, secret: decryptCurrentSecret(vault, record) }
}
