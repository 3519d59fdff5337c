import { createNotFound } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { transact } from '../../storage/transact.ts'
import { cancelPendingDeliveries } from '../../storage/webhooks/deliveries.ts'
import {
  listSubscriptions,
  lockSubscription,
  lockTenantSubscriptions,
  type SubscriptionChange,
  type SubscriptionRecord,
  updateSubscription,
} from '../../storage/webhooks/subscriptions.ts'
import type { Tenant } from '../../tenant.ts'
import { assertEndpointUrlUnused } from './assert-endpoint-url-unused.ts'
import { bringDeliveriesForward } from './bring-deliveries-forward.ts'
import type { SubscriptionDependencies } from './create-subscription.ts'
import { requireSubscription } from './find-subscription.ts'
import { noFailures } from './no-failures.ts'
import { type SubscriptionInput, validateSubscription } from './validate-subscription.ts'

export interface SubscriptionPatch extends SubscriptionInput {
  /** An empty description is stored as null. */
  description?: string | null
  status?: 'ACTIVE' | 'DISABLED'
}

/** Applies a patch; writes nothing if it changes nothing. Setting the status to ACTIVE also brings forward what waits. Throws InvalidInput, `not_found` and `subscription_exists`. */
export async function changeSubscription(
  { db, endpointRules, now }: Pick<SubscriptionDependencies, 'db' | 'endpointRules' | 'now'>,
  tenant: Tenant,
  id: string,
  patch: SubscriptionPatch,
): Promise<SubscriptionRecord> {
  await requireSubscription(db, tenant, id)
  const { endpoint_url, event_types, status } = validateSubscription(patch, endpointRules) as SubscriptionPatch
  const at = new Date(now()).toISOString()
  const updated = await transact(db, async (transaction) => {
    if (endpoint_url !== undefined) await lockTenantSubscriptions(transaction, tenant)
    const record = await lockSubscription(transaction, tenant, id)
    if (!record) throw createNotFound('subscription')
    const isMoved = endpoint_url !== undefined && endpoint_url !== record.endpoint_url
    if (isMoved) assertEndpointUrlUnused(await listSubscriptions(transaction, tenant), endpoint_url)
    const change: SubscriptionChange = {
      ...(isMoved && { endpoint_url, ...resetHealth(record) }),
      ...(event_types && { event_types: [...event_types] }),
      ...(patch.description !== undefined && { description: patch.description || null }),
      ...(status === 'DISABLED' && disable(record, at)),
      ...(status === 'ACTIVE' && enabled),
    }
    return writeChange(transaction, record, change, at)
  })
  if (updated.status === 'DISABLED') await cancelPendingDeliveries(db, id, at)
  if (status === 'ACTIVE') await bringDeliveriesForward(db, id, null, Date.parse(at))
  return updated
}

/** A new URL starts without the failures of the old one. */
const resetHealth = ({ status }: SubscriptionRecord): SubscriptionChange =>
  status === 'FAILING' ? { ...noFailures, status: 'ACTIVE' } : noFailures

/** A disabled subscription keeps its reason. */
const disable = ({ status }: SubscriptionRecord, at: string): SubscriptionChange =>
  status === 'DISABLED' ? {} : { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at }

const enabled: SubscriptionChange = { status: 'ACTIVE', disabled_reason: null, disabled_at: null, ...noFailures }

async function writeChange(transaction: Database, record: SubscriptionRecord, change: SubscriptionChange, at: string) {
  const isDifferent = Object.entries(change).some(([name, value]) => {
    return JSON.stringify(record[name as keyof SubscriptionRecord]) !== JSON.stringify(value)
  })
  if (!isDifferent) return record
  await updateSubscription(transaction, record.subscription_id, { ...change, updated_at: at })
  return { ...record, ...change, updated_at: at }
}
