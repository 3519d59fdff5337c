import type { Kysely } from 'kysely'
import { buildIndex } from './indexes.ts'

/** The indexes are built outside a transaction, while servers write. */
export const isTransactional = false

const indexes: readonly (readonly [name: string, definition: string])[] = [
  ['events_unheld', 'events (tenant_id, mode, created_at) where position is null and held_until is null'],
  ['events_held', 'events (tenant_id, mode, held_until) where position is null and held_until is not null'],
  ['events_hold_ends', 'events (held_until, tenant_id, mode) where position is null and held_until is not null'],
]

/** Finds events that can be numbered without reading those that are held. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of indexes) await buildIndex(db, name, definition)
}
