import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type RequestRecordRow = Selectable<Tables['request_records']>

/** Inserts all rows or none. An existing row stays unchanged. */
export async function insertRequestRecords(db: Database, rows: readonly RequestRecordRow[]): Promise<void> {
  await db
    .insertInto('request_records')
    .values(rows)
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .execute()
}

/** Returns the records of a request id in any letter case, the latest first. */
export async function findRequestRecords(db: Database, requestId: string, limit: number): Promise<RequestRecordRow[]> {
  const records = db
    .selectFrom('request_records')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['request_id']), '=', requestId.toLowerCase()))
  return records.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(limit).execute()
}
