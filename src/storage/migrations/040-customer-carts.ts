import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The index is built outside a transaction, while servers write. */
export const isTransactional = false

/** Finds the carts of a customer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(db, 'carts_customer', 'carts (tenant_id, mode, customer_id, state, created_at)')
}
