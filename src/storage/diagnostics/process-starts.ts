import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type ProcessStart = Omit<Selectable<Tables['process_starts']>, 'start_id'>

const columns = ['at', 'process', 'version', 'config_digest'] as const

/** A process that cannot stay up starts again and again: the latest starts of a period are enough. */
const MAX_STARTS = 500

export async function insertProcessStart(db: Database, start: ProcessStart): Promise<void> {
  await db
    .insertInto('process_starts')
    .values({ start_id: `start_${randomBase62(16)}`, ...start })
    .execute()
}

/** Returns the starts of a period, the oldest first. */
export async function listProcessStarts(
  db: Database,
  { from, to }: { from: string; to: string },
): Promise<ProcessStart[]> {
  const latest = await db
    .selectFrom('process_starts')
    .select(columns)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at', 'desc')
    .orderBy('start_id', 'desc')
    .limit(MAX_STARTS)
    .execute()
  return latest.reverse()
}

/** Returns the latest start before that instant. */
export const findProcessStartBefore = (db: Database, at: string): Promise<ProcessStart | undefined> =>
  db
    .selectFrom('process_starts')
    .select(columns)
    .where('at', '<', at)
    .orderBy('at', 'desc')
    .orderBy('start_id', 'desc')
    .limit(1)
    .executeTakeFirst()
