import { setImmediate as breath } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { TenantColumns } from '../../storage/shoppers/shopper-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { cancelPendingDeliveries, deleteDeliveries } from '../../storage/webhooks/deliveries.ts'
import {
  deleteSubscription,
  findSubscription,
  listSubscriptions,
  lockSubscription,
  lockTenantSubscriptions,
  type SubscriptionChange,
  type SubscriptionRecord,
  updateSubscription,
} from '../../storage/webhooks/subscriptions.ts'
import { assertEndpointUrlUnused, noFailures, type SubscriptionDependencies } from './create-subscription.ts'
import { type SubscriptionInput, validateSubscription } from './validate-subscription.ts'

export interface SubscriptionPatch extends SubscriptionInput {
  /** Empty: none. */
  description?: string | null
  status?: 'ACTIVE' | 'DISABLED'
}

const ROWS_A_STEP = 500

/** Throws `not_found` for what is absent and for what is another's, without a difference. */
export async function requireSubscription(db: Database, realm: TenantColumns, id: string): Promise<SubscriptionRecord> {
  return (await findSubscription(db, realm, id)) ?? absent()
}

/** Changes what is named, and nothing when that is so already. Rejects with Invalid, and with Problem when another has that URL. */
export async function changeSubscription(
  { db, endpoints, now }: Pick<SubscriptionDependencies, 'db' | 'endpoints' | 'now'>,
  realm: TenantColumns,
  id: string,
  patch: SubscriptionPatch,
): Promise<SubscriptionRecord> {
  await requireSubscription(db, realm, id)
  const { endpoint_url, event_types, status } = validateSubscription(patch, endpoints) as SubscriptionPatch
  const at = new Date(now()).toISOString()
  const after = await transact(db, async (transaction) => {
    if (endpoint_url !== undefined) await lockTenantSubscriptions(transaction, realm)
    const record = (await lockSubscription(transaction, realm, id)) ?? absent()
    const moved = endpoint_url !== undefined && endpoint_url !== record.endpoint_url
    if (moved) assertEndpointUrlUnused(await listSubscriptions(transaction, realm), endpoint_url)
    const change: SubscriptionChange = {
      ...(moved && { endpoint_url, ...begunAnew(record) }),
      ...(event_types && { event_types: [...event_types] }),
      ...(patch.description !== undefined && { description: patch.description || null }),
      ...(status === 'DISABLED' && disabled(record, at)),
      ...(status === 'ACTIVE' && enabled),
    }
    return changed(transaction, record, change, at)
  })
  if (after.status === 'DISABLED') await cancelPendingDeliveries(db, id, at)
  return after
}

/** What another endpoint did is not held against this one. */
const begunAnew = ({ status }: SubscriptionRecord): SubscriptionChange =>
  status === 'FAILING' ? { ...noFailures, status: 'ACTIVE' } : noFailures

/** One that is disabled keeps its reason. */
const disabled = ({ status }: SubscriptionRecord, at: string): SubscriptionChange =>
  status === 'DISABLED' ? {} : { status: 'DISABLED', disabled_reason: 'MANUAL', disabled_at: at }

const enabled: SubscriptionChange = { status: 'ACTIVE', disabled_reason: null, disabled_at: null, ...noFailures }

async function changed(transaction: Database, record: SubscriptionRecord, change: SubscriptionChange, at: string) {
  const differs = Object.entries(change).some(([name, value]) => {
    return JSON.stringify(record[name as keyof SubscriptionRecord]) !== JSON.stringify(value)
  })
  if (!differs) return record
  await updateSubscription(transaction, record.subscription_id, { ...change, updated_at: at })
  return { ...record, ...change, updated_at: at }
}

/** Ends a subscription, then what there is of its deliveries: a few at a time, so that nobody waits for many. */
export async function removeSubscription(
  { db }: Pick<SubscriptionDependencies, 'db'>,
  realm: TenantColumns,
  id: string,
): Promise<void> {
  await transact(db, async (transaction) => {
    if (!(await lockSubscription(transaction, realm, id))) absent()
    await deleteSubscription(transaction, id)
  })
  const some = () => transact(db, (transaction) => deleteDeliveries(transaction, id, ROWS_A_STEP))
  while ((await some()) === ROWS_A_STEP) await breath()
}

function absent(): never {
  throw new Problem('not_found')
}
