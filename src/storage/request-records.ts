import type { Selectable } from 'kysely'
import type { Mode } from '../config.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

export type RequestRecordRow = Selectable<Tables['request_records']>

/** All of them or none; one that is there already stays as it is. */
export async function insertRecords(db: Database, rows: readonly RequestRecordRow[]): Promise<void> {
  await db
    .insertInto('request_records')
    .values(rows)
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .execute()
}

/** The latest first. */
export async function recordsOfRequest(db: Database, requestId: string, most: number): Promise<RequestRecordRow[]> {
  const found = db.selectFrom('request_records').selectAll().where('request_id', '=', requestId)
  return found.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(most).execute()
}

export async function latestRecords(
  db: Database,
  of: { tenant: string; mode: Mode; kind?: RequestRecordRow['kind'] | undefined; limit: number },
): Promise<RequestRecordRow[]> {
  let query = db
    .selectFrom('request_records')
    .selectAll()
    .where('tenant_id', '=', of.tenant)
    .where('mode', '=', of.mode)
  if (of.kind) query = query.where('kind', '=', of.kind)
  return query.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(of.limit).execute()
}
