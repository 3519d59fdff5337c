import type { Selectable } from 'kysely'
import type { Mode } from '../../config/config.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

export type RequestRecordRow = Selectable<Tables['request_records']>

/** All of them or none; one that is there already stays as it is. */
export async function insertRequestRecords(db: Database, rows: readonly RequestRecordRow[]): Promise<void> {
  await db
    .insertInto('request_records')
    .values(rows)
    .onConflict((conflict) => conflict.column('record_id').doNothing())
    .execute()
}

/** The latest first. */
export async function findRequestRecords(db: Database, requestId: string, most: number): Promise<RequestRecordRow[]> {
  const found = db.selectFrom('request_records').selectAll().where('request_id', '=', requestId)
  return found.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(most).execute()
}

/** Of one kind, or of each by itself: they lie kind by kind. */
export async function listLatestRequestRecords(
  db: Database,
  of: { tenant: string; mode: Mode; kinds: readonly RequestRecordRow['kind'][]; limit: number },
): Promise<RequestRecordRow[]> {
  const found: RequestRecordRow[] = []
  for (const kind of of.kinds) {
    const query = db
      .selectFrom('request_records')
      .selectAll()
      .where('tenant_id', '=', of.tenant)
      .where('mode', '=', of.mode)
      .where('kind', '=', kind)
    found.push(...(await query.orderBy('at', 'desc').orderBy('record_id', 'desc').limit(of.limit).execute()))
  }
  return found.toSorted((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : 0)).slice(0, of.limit)
}
