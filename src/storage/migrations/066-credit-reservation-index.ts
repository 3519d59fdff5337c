import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** Indexes are built outside a transaction: with many rows, a build takes a long time. */
export const isTransactional = false

const DEFINITION = 'orders (tenant_id, mode, customer_id, status) where reserved_credit is not null'

/** Adds an index of the orders that hold a reservation of their customer's credit. It is empty at first. */
export const up = (db: Kysely<unknown>): Promise<void> => buildIndex(db, 'orders_reserved_credit', DEFINITION)
