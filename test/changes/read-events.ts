import type { Database } from '../../src/storage/database.ts'

/** Returns all events as "type id", the oldest first. */
export async function readEventLines(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'resource_id'])
    .orderBy('created_at')
    .orderBy('sequence')
    .orderBy('resource_id')
    .execute()
  return rows.map(({ type, resource_id }) => `${type} ${resource_id}`)
}

export async function readEventData(db: Database, type: string) {
  const rows = await db
    .selectFrom('events')
    .select('data')
    .where('type', '=', type)
    .orderBy('created_at')
    .orderBy('sequence')
    .orderBy('resource_id')
    .execute()
  // biome-ignore lint/suspicious/noExplicitAny: tests read freely
  return rows.map(({ data }) => JSON.parse(data) as any)
}
