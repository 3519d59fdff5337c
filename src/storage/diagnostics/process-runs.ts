import type { Selectable } from 'kysely'
import { randomBase62 } from '../../security/base62.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type ProcessStart = Omit<Selectable<Tables['process_starts']>, 'start_id' | 'stopped_at'>

/** A process from its start to its end. */
export interface ProcessRun {
  at: string
  process: string
  /** When it was asked to stop; `null`: it runs, it was killed, or an earlier release wrote this. */
  stopped_at: string | null
  /** Its last heartbeat; `null`: it stopped as asked. */
  seen_at: string | null
}

const columns = ['at', 'process', 'version', 'config_digest'] as const

/** A process that cannot stay up starts again and again: the latest starts of a period are enough. */
const MAX_STARTS = 500

export async function insertProcessStart(db: Database, start: ProcessStart): Promise<void> {
  await db
    .insertInto('process_starts')
    .values({ start_id: `start_${randomBase62(16)}`, ...start })
    .execute()
}

/** Records that a process stops as asked. */
export async function recordProcessStop(
  db: Database,
  { at, process }: Pick<ProcessStart, 'at' | 'process'>,
  stoppedAt: string,
): Promise<void> {
  const start = db.updateTable('process_starts').set({ stopped_at: stoppedAt })
  await start.where('at', '=', at).where('process', '=', process).execute()
}

/** Returns the latest processes that started up to an instant, the oldest first. */
export async function listProcessRuns(
  db: Database,
  { startedUntil, limit }: { startedUntil: string; limit: number },
): Promise<ProcessRun[]> {
  const latest = await db
    .selectFrom('process_starts')
    .leftJoin('process_states', 'process_states.process', 'process_starts.process')
    .select([
      'process_starts.at',
      'process_starts.process',
      'process_starts.stopped_at',
      'process_states.at as seen_at',
    ])
    .where('process_starts.at', '<=', startedUntil)
    .orderBy('process_starts.at', 'desc')
    .orderBy('process_starts.start_id', 'desc')
    .limit(limit)
    .execute()
  return latest.reverse()
}

/** Returns when the last of the processes ended that started before an instant: as asked, and with a last heartbeat. */
export async function findLastEndsBefore(
  db: Database,
  startedBefore: string,
): Promise<Pick<ProcessRun, 'stopped_at' | 'seen_at'>> {
  return db
    .selectFrom('process_starts')
    .leftJoin('process_states', 'process_states.process', 'process_starts.process')
    .select((eb) => [
      eb.fn.max('process_starts.stopped_at').as('stopped_at'),
      eb.fn.max('process_states.at').as('seen_at'),
    ])
    .where('process_starts.at', '<', startedBefore)
    .executeTakeFirstOrThrow()
}

/** Returns the first start after an instant. */
export const findProcessStartAfter = (db: Database, at: string): Promise<ProcessStart | undefined> =>
  db
    .selectFrom('process_starts')
    .select(columns)
    .where('at', '>', at)
    .orderBy('at')
    .orderBy('start_id')
    .limit(1)
    .executeTakeFirst()

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
