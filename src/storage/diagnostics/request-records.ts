import type { Selectable } from 'kysely'
import type { Tenant } from '../../tenant.ts'
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

/** Returns the records of a request id, the latest first. */
export async function findRequestRecords(db: Database, requestId: string, limit: number): Promise<RequestRecordRow[]> {
  const records = db.selectFrom('request_records').selectAll().where('request_id', '=', requestId)
  return records.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(limit).execute()
}

/** Returns the latest records of these kinds, the latest first. One query for each kind, as the index is by kind. */
export async function listLatestRequestRecords(
  db: Database,
  { merchant, mode, kinds, limit }: Tenant & { kinds: readonly RequestRecordRow['kind'][]; limit: number },
): Promise<RequestRecordRow[]> {
  const records: RequestRecordRow[] = []
  for (const kind of kinds) {
    const query = db
      .selectFrom('request_records')
      .selectAll()
      .where('tenant_id', '=', merchant)
      .where('mode', '=', mode)
      .where('kind', '=', kind)
    records.push(...(await query.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(limit).execute()))
  }
  return records.toSorted((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : 0)).slice(0, limit)
}

/** Returns the latest recorded requests of a key that were refused, the latest first. */
export const listRefusalsOfKey = (db: Database, keyId: string, limit: number): Promise<RequestRecordRow[]> =>
  db
    .selectFrom('request_records')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('kind', '=', 'refused')
    .orderBy('at', 'desc')
    .orderBy('record_id', 'desc')
    .limit(limit)
    .execute()
