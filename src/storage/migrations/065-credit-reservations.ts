import type { Kysely } from 'kysely'

/** Adds the credit that an order takes until the figures of accounting include it. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  db.schema.alterTable('orders').addColumn('reserved_credit', 'text').execute()
