import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The index is built outside a transaction, while servers write. */
export const isTransactional = false

/** Finds the open carts of a merchant, those that were changed last first. SQLite prefers `carts_expiry` to a partial index. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  buildIndex(db, 'carts_open', 'carts (tenant_id, mode, state, expires_at)')
