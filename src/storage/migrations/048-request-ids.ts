import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The index is built outside a transaction, while servers write. */
export const isTransactional = false

/** Finds request records by their id in any letter case. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(db, 'request_records_by_id', 'request_records (lower(request_id), at, record_id)')
}
