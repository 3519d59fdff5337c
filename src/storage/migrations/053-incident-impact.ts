import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The index is built outside a transaction, while servers write. */
export const isTransactional = false

/** Adds whom an incident reached, and indexes of orders by the time of their checkout and of the audit log by action. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const incidents = (await db.introspection.getTables()).find(({ name }) => name === 'incidents')
  if (!incidents?.columns.some(({ name }) => name === 'impact'))
    await db.schema.alterTable('incidents').addColumn('impact', 'text').execute()
  await buildIndex(db, 'orders_told_in_time', 'orders (tenant_id, mode, created_at) where told = 1')
  await buildIndex(db, 'audit_log_by_action', 'audit_log (action, at, entry_id)')
}
