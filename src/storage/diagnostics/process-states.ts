import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

/** A process without a heartbeat for this long is considered dead. */
export const PROCESS_EXPIRY_MS = 10_000

export type ProcessStateRow = Selectable<Tables['process_states']>

export async function upsertProcessState(db: Database, row: ProcessStateRow): Promise<void> {
  await db
    .insertInto('process_states')
    .values(row)
    .onConflict((conflict) => conflict.column('process').doUpdateSet({ at: row.at, document: row.document }))
    .execute()
}

/** Returns the states that were reported since that instant. */
export async function listProcessStates(db: Database, since: string): Promise<ProcessStateRow[]> {
  return db.selectFrom('process_states').selectAll().where('at', '>=', since).orderBy('process').execute()
}

/** Returns the time of the last report of each process. */
export async function readProcessesLastSeen(db: Database, processes: readonly string[]): Promise<Map<string, string>> {
  if (processes.length === 0) return new Map()
  const states = db.selectFrom('process_states').select(['process', 'at'])
  const rows = await states.where('process', 'in', [...processes]).execute()
  return new Map(rows.map(({ process, at }) => [process, at]))
}

export async function deleteProcessState(db: Database, process: string): Promise<void> {
  await db.deleteFrom('process_states').where('process', '=', process).execute()
}
