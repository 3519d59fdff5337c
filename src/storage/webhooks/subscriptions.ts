import type { Selectable, Updateable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Tenant } from '../../tenant.ts'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import { acquireAdvisoryLock } from '../postgres/acquire-advisory-lock.ts'
import type { Tables } from '../tables.ts'
import type { TenantColumns } from '../tenant-columns.ts'

/** A subscription as it is stored, with encrypted secrets. */
export interface SubscriptionRecord extends Omit<Selectable<Tables['subscriptions']>, 'event_types'> {
  event_types: string[]
}

export type SubscriptionChange = Partial<Omit<SubscriptionRecord, 'subscription_id' | keyof TenantColumns>>

/** The store is not queried with other ids: PostgreSQL rejects some texts. */
const SUBSCRIPTION_ID = /^whk_[0-9A-Za-z]{22}$/

export const generateSubscriptionId = (): string => `whk_${randomBase62(22)}`

/** Returns a tenant's subscriptions, the oldest first. */
export async function listSubscriptions(db: Database, tenant: Tenant): Promise<SubscriptionRecord[]> {
  const rows = await selectOwn(db, tenant).orderBy('created_at').orderBy('subscription_id').execute()
  return rows.map(toSubscription)
}

/** Returns the subscriptions of all tenants. */
export async function listAllSubscriptions(db: Database): Promise<SubscriptionRecord[]> {
  return (await db.selectFrom('subscriptions').selectAll().orderBy('subscription_id').execute()).map(toSubscription)
}

/** Returns `null` for an unknown subscription, and for another tenant's. */
export async function findSubscription(db: Database, tenant: Tenant, id: string): Promise<SubscriptionRecord | null> {
  if (!SUBSCRIPTION_ID.test(id)) return null
  const row = await selectOwn(db, tenant).where('subscription_id', '=', id).executeTakeFirst()
  return row ? toSubscription(row) : null
}

/** Finds a subscription and locks it until the transaction ends. */
export async function lockSubscription(
  transaction: Database,
  tenant: Tenant,
  id: string,
): Promise<SubscriptionRecord | null> {
  if (!SUBSCRIPTION_ID.test(id)) return null
  const subscription = selectOwn(transaction, tenant).where('subscription_id', '=', id)
  const row = await (isPostgresDatabase(transaction) ? subscription.forUpdate() : subscription).executeTakeFirst()
  return row ? toSubscription(row) : null
}

/** Until the transaction ends, no other transaction adds a subscription of this tenant or changes a URL. */
export async function lockTenantSubscriptions(transaction: Database, { merchant, mode }: Tenant): Promise<void> {
  await acquireAdvisoryLock(transaction, `subscriptions ${merchant} ${mode}`)
}

export async function insertSubscription(transaction: Database, record: SubscriptionRecord): Promise<void> {
  const event_types = JSON.stringify(record.event_types)
  await transaction
    .insertInto('subscriptions')
    .values({ ...record, event_types })
    .execute()
}

export async function updateSubscription(transaction: Database, id: string, change: SubscriptionChange): Promise<void> {
  const { event_types, ...rest } = change
  const set: Updateable<Tables['subscriptions']> = {
    ...rest,
    ...(event_types && { event_types: JSON.stringify(event_types) }),
  }
  await transaction.updateTable('subscriptions').set(set).where('subscription_id', '=', id).execute()
}

export async function deleteSubscription(transaction: Database, id: string): Promise<void> {
  await transaction.deleteFrom('subscriptions').where('subscription_id', '=', id).execute()
}

const selectOwn = (db: Database, { merchant, mode }: Tenant) =>
  db.selectFrom('subscriptions').selectAll().where('tenant_id', '=', merchant).where('mode', '=', mode)

const toSubscription = (row: Selectable<Tables['subscriptions']>): SubscriptionRecord => ({
  ...row,
  event_types: JSON.parse(row.event_types) as string[],
})
