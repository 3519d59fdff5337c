import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

/** Adds an index of the orders whose number is not copied yet. It is empty, but for what a server of an earlier release confirms. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  buildIndex(db, 'orders_unnumbered', 'orders (order_id) where placed is not null and order_number is null')
