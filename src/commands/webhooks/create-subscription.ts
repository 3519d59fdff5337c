import { MAX_SUBSCRIPTIONS } from '../../contract/events/webhook-subscription.ts'
import { Problem } from '../../errors.ts'
import { syncWal } from '../../storage/sqlite/sync-wal.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import { transact } from '../../storage/transact.ts'
import {
  generateSubscriptionId,
  insertSubscription,
  listSubscriptions,
  lockTenantSubscriptions,
  type SubscriptionRecord,
} from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import { createSigningSecret, encryptSigningSecret } from '../../webhooks/signing-secrets.ts'
import type { AppliedWriteRecord } from '../applied-write-record.ts'
import type { CommandDependencies } from '../command-context.ts'
import { assertEndpointUrlUnused } from './assert-endpoint-url-unused.ts'
import { noFailures } from './no-failures.ts'
import { readAppliedSubscription } from './read-applied-subscription.ts'
import { validateSubscription } from './validate-subscription.ts'

export type SubscriptionDependencies = Pick<CommandDependencies, 'db' | 'secretCipher' | 'endpointRules' | 'now'>

/** A subscription with its secret, which is shown only once. */
export interface SubscriptionAndSecret {
  record: SubscriptionRecord
  secret: string
}

export interface NewSubscription {
  endpoint_url: string
  event_types: string[]
  description?: string | null
}

/** Subscribes an endpoint. Throws InvalidInput, `subscription_limit` and `subscription_exists`. */
export async function createSubscription(
  { db, secretCipher, endpointRules, now }: SubscriptionDependencies,
  tenant: Tenant,
  input: NewSubscription,
  idempotency: AppliedWriteRecord | null,
): Promise<SubscriptionAndSecret> {
  if (idempotency?.applied) return readAppliedSubscription({ db, secretCipher }, tenant, idempotency.applied)
  const { endpoint_url, event_types } = validateSubscription(input, endpointRules) as NewSubscription
  const secret = createSigningSecret()
  const subscription_id = generateSubscriptionId()
  const at = new Date(now()).toISOString()
  const record: SubscriptionRecord = {
    subscription_id,
    ...tenantColumns(tenant),
    endpoint_url,
    event_types,
    description: input.description || null,
    status: 'ACTIVE',
    disabled_reason: null,
    disabled_at: null,
    ...encryptSigningSecret(secretCipher, subscription_id, secret),
    previous_secret: null,
    previous_secret_expires_at: null,
    ...noFailures,
    last_delivery_at: null,
    last_success_at: null,
    created_at: at,
    updated_at: at,
  }
  await transact(db, async (transaction) => {
    await lockTenantSubscriptions(transaction, tenant)
    const existing = await listSubscriptions(transaction, tenant)
    assertEndpointUrlUnused(existing, endpoint_url)
    if (existing.length >= MAX_SUBSCRIPTIONS) throw new Problem('subscription_limit')
    await insertSubscription(transaction, record)
    await idempotency?.recordApplied(transaction, { subscription_id })
  })
  await syncWal(db)
  return { record, secret }
}
