import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The index is built outside a transaction, while servers write. */
export const isTransactional = false

/** Finds the earlier events of a resource that are not numbered yet, without its history. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buildIndex(
    db,
    'events_unnumbered_of_resource',
    'events (tenant_id, mode, resource_type, resource_id, sequence) where position is null',
  )
}
