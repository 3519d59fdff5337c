import type { SectionTrace } from '../../sections/section-trace.ts'
import type { Database } from '../../storage/database.ts'
import { requestRecordKinds } from '../../storage/diagnostics/prune-request-records.ts'
import {
  findRequestRecords,
  listLatestRequestRecords,
  type RequestRecordRow,
} from '../../storage/diagnostics/request-records.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'

export type RecordKind = 'degraded' | 'slow' | 'refused'

/** A recorded request, as the console shows it. */
export interface RequestRecord {
  recordId: string
  requestId: string
  /** The merchant; `null` without a key, or with an unknown one. */
  tenant: string | null
  mode: Mode
  /** The time of the response, in milliseconds since the epoch. */
  at: number
  kind: RecordKind
  route: string
  method: string
  /** Without its query. */
  path: string
  status: number
  ms: number
  cache: string
  /** Code of the problem in the response. */
  code: string | null
  keyId: string | null
  deadlineMs: number | null
  sections: SectionTrace[]
  calls: CallTrace[]
  /** The process that responded. */
  process: string
}

const MAX_RECORDS_PER_ID = 20

/** Reads the records of a request id, the latest first. Clients choose the ids and may repeat them. */
export async function readRequestRecords(db: Database, requestId: string): Promise<RequestRecord[]> {
  return (await findRequestRecords(db, requestId, MAX_RECORDS_PER_ID)).map(toRecord)
}

export interface RecentRecordsQuery extends Tenant {
  kind?: RecordKind
  limit: number
}

/** Lists the records of a tenant, the latest first. */
export async function listRecentRecords(
  db: Database,
  { kind, ...query }: RecentRecordsQuery,
): Promise<RequestRecord[]> {
  return (await listLatestRequestRecords(db, { ...query, kinds: kind ? [kind] : requestRecordKinds })).map(toRecord)
}

/** The members that are stored as JSON, in the column `document`. */
type Document = Pick<RequestRecord, 'method' | 'path' | 'cache' | 'deadlineMs' | 'sections' | 'calls' | 'process'>

const toRecord = (row: RequestRecordRow): RequestRecord => ({
  recordId: row.record_id,
  requestId: row.request_id,
  tenant: row.tenant_id,
  mode: row.mode,
  at: Date.parse(row.at),
  kind: row.kind,
  route: row.route,
  status: row.status,
  ms: row.ms,
  code: row.code,
  keyId: row.key_id,
  ...(JSON.parse(row.document) as Document),
})
