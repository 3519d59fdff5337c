import { sql } from 'kysely'
import type { Mode } from '../config.ts'
import type { Database } from './database.ts'
import { randomBase62 } from './key-format.ts'

export interface Happening {
  tenant_id: string
  mode: Mode
  type: string
  resource: { type: string; id: string }
  data: object
  /** RFC 3339, UTC. */
  at: string
}

/** Puts an event into the outbox, in the transaction that causes it. Events of one resource are numbered from 1: its row must be held by then. */
export async function appendEvent(transaction: Database, happening: Happening): Promise<void> {
  const { tenant_id, mode, type, resource, data, at } = happening
  const last = transaction
    .selectFrom('events')
    .select(sql<number>`coalesce(max(sequence), 0)`.as('sequence'))
    .where('tenant_id', '=', tenant_id)
    .where('mode', '=', mode)
    .where('resource_type', '=', resource.type)
    .where('resource_id', '=', resource.id)
  const { sequence } = await last.executeTakeFirstOrThrow()
  await transaction
    .insertInto('events')
    .values({
      ...{ event_id: `evt_${randomBase62(22)}`, tenant_id, mode, type },
      ...{ resource_type: resource.type, resource_id: resource.id, sequence: sequence + 1 },
      ...{ data: JSON.stringify(data), created_at: at },
    })
    .execute()
}
