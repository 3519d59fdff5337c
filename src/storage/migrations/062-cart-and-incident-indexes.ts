import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The indexes are built outside a transaction, while servers write. */
export const isTransactional = false

/**
 * Finds the open carts of a merchant, those that were changed last first, and counts incidents of a section. SQLite prefers `carts_expiry` to
 * a partial index of carts. With the section first, lists of incidents do not use the second index, which has not their order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(db, 'carts_open', 'carts (tenant_id, mode, state, expires_at)')
  await buildIndex(db, 'incidents_by_section', 'incidents (section, system, tenant_id, mode, last_at)')
}
