import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../database.ts'
import { randomBase62 } from '../keys/api-key-format.ts'
import { hasRowLocks } from '../row-locks.ts'
import type { TenantColumns } from '../shoppers/shopper-accounts.ts'
import type { Tables } from '../tables.ts'

/** A subscription as it is stored; its secrets are sealed. */
export interface SubscriptionRecord extends Omit<Selectable<Tables['subscriptions']>, 'event_types'> {
  event_types: string[]
}

export type SubscriptionChange = Partial<Omit<SubscriptionRecord, 'subscription_id' | keyof TenantColumns>>

/** A store must not be asked for anything else: PostgreSQL fails at what text cannot hold. */
const SUBSCRIPTION_ID = /^whk_[0-9A-Za-z]{22}$/

export const generateSubscriptionId = (): string => `whk_${randomBase62(22)}`

/** Of a merchant in one mode, the oldest first. */
export async function listSubscriptions(db: Database, realm: TenantColumns): Promise<SubscriptionRecord[]> {
  const rows = await owned(db, realm).orderBy('created_at').orderBy('subscription_id').execute()
  return rows.map(recordOf)
}

/** Whosever. */
export async function listAllSubscriptions(db: Database): Promise<SubscriptionRecord[]> {
  return (await db.selectFrom('subscriptions').selectAll().orderBy('subscription_id').execute()).map(recordOf)
}

/** `null`: there is none, or it is another's. */
export async function findSubscription(
  db: Database,
  realm: TenantColumns,
  id: string,
): Promise<SubscriptionRecord | null> {
  if (!SUBSCRIPTION_ID.test(id)) return null
  const row = await owned(db, realm).where('subscription_id', '=', id).executeTakeFirst()
  return row ? recordOf(row) : null
}

/** The same, and nobody else changes it before this transaction ends. */
export async function lockSubscription(
  transaction: Database,
  realm: TenantColumns,
  id: string,
): Promise<SubscriptionRecord | null> {
  if (!SUBSCRIPTION_ID.test(id)) return null
  const wanted = owned(transaction, realm).where('subscription_id', '=', id)
  const row = await (hasRowLocks(transaction) ? wanted.forUpdate() : wanted).executeTakeFirst()
  return row ? recordOf(row) : null
}

/** From here to the end of the transaction nobody else adds a subscription of this merchant and mode, or gives one another URL. */
export async function lockTenantSubscriptions(
  transaction: Database,
  { tenant_id, mode }: TenantColumns,
): Promise<void> {
  if (!hasRowLocks(transaction)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${`subscriptions ${tenant_id} ${mode}`}, 0))`.execute(
    transaction,
  )
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

const owned = (db: Database, { tenant_id, mode }: TenantColumns) =>
  db.selectFrom('subscriptions').selectAll().where('tenant_id', '=', tenant_id).where('mode', '=', mode)

const recordOf = (row: Selectable<Tables['subscriptions']>): SubscriptionRecord => ({
  ...row,
  event_types: JSON.parse(row.event_types) as string[],
})
