import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import { isPostgresDatabase } from '../is-postgres-database.ts'
import type { Tables } from '../tables.ts'

export type WebhookEndpoint = Selectable<Tables['subscriptions']>

/** Returns the endpoints of subscriptions. Deleted subscriptions are left out. */
export async function findEndpoints(db: Database, ids: readonly string[]): Promise<WebhookEndpoint[]> {
  if (ids.length === 0) return []
  return db.selectFrom('subscriptions').selectAll().where('subscription_id', 'in', ids).execute()
}

/** Returns the endpoints of subscriptions, locked until the transaction ends. */
export async function lockEndpoints(transaction: Database, ids: readonly string[]): Promise<WebhookEndpoint[]> {
  if (ids.length === 0) return []
  const endpoints = transaction.selectFrom('subscriptions').selectAll().where('subscription_id', 'in', ids)
  const sorted = endpoints.orderBy('subscription_id')
  return (isPostgresDatabase(transaction) ? sorted.forNoKeyUpdate() : sorted).execute()
}

export async function updateEndpointHealth(
  transaction: Database,
  subscriptionId: string,
  health: Partial<WebhookEndpoint>,
): Promise<void> {
  await transaction.updateTable('subscriptions').set(health).where('subscription_id', '=', subscriptionId).execute()
}
