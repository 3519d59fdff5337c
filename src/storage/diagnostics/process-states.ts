import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type ProcessStateRow = Selectable<Tables['process_states']>

export async function upsertProcessState(db: Database, row: ProcessStateRow): Promise<void> {
  await db
    .insertInto('process_states')
    .values(row)
    .onConflict((conflict) => conflict.column('process').doUpdateSet({ at: row.at, document: row.document }))
    .execute()
}

/** Of those that told of themselves since that instant. */
export async function listProcessStates(db: Database, since: string): Promise<ProcessStateRow[]> {
  return db.selectFrom('process_states').selectAll().where('at', '>=', since).orderBy('process').execute()
}

/** When each of these last told of itself. */
export async function readProcessesLastSeen(db: Database, processes: readonly string[]): Promise<Map<string, string>> {
  if (processes.length === 0) return new Map()
  const of = db.selectFrom('process_states').select(['process', 'at'])
  const rows = await of.where('process', 'in', [...processes]).execute()
  return new Map(rows.map(({ process, at }) => [process, at]))
}

export async function deleteProcessState(db: Database, process: string): Promise<void> {
  await db.deleteFrom('process_states').where('process', '=', process).execute()
}
