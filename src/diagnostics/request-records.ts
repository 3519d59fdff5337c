import type { Mode } from '../config/config.ts'
import type { SectionTrace } from '../sections/section.ts'
import type { Database } from '../storage/database.ts'
import { requestRecordKinds } from '../storage/diagnostics/prune-request-records.ts'
import {
  findRequestRecords,
  listLatestRequestRecords,
  type RequestRecordRow,
} from '../storage/diagnostics/request-records.ts'
import type { CallTrace } from '../upstream/call-trace.ts'

export type RecordKind = 'degraded' | 'slow' | 'refused'

/** A request that was kept, as those on call see it. */
export interface RequestRecord {
  recordId: string
  requestId: string
  /** `null`: it had no key, or none that is known. */
  tenant: string | null
  mode: Mode
  /** When it was answered, in milliseconds since the epoch. */
  at: number
  kind: RecordKind
  route: string
  method: string
  /** Without its query. */
  path: string
  status: number
  ms: number
  cache: string
  /** Of the problem that was answered. */
  code: string | null
  keyId: string | null
  deadlineMs: number | null
  sections: SectionTrace[]
  calls: CallTrace[]
  /** Which process answered. */
  process: string
}

const MOST_OF_ONE_ID = 20

/** All that were answered under this id, the latest first: ids are the client's own, and may come again. */
export async function readRequestRecords(db: Database, requestId: string): Promise<RequestRecord[]> {
  return (await findRequestRecords(db, requestId, MOST_OF_ONE_ID)).map(recordFrom)
}

export interface RecentRecordsQuery {
  tenant: string
  mode: Mode
  kind?: RecordKind
  limit: number
}

/** The latest first. */
export async function listRecentRecords(
  db: Database,
  { kind, ...query }: RecentRecordsQuery,
): Promise<RequestRecord[]> {
  return (await listLatestRequestRecords(db, { ...query, kinds: kind ? [kind] : requestRecordKinds })).map(recordFrom)
}

/** What the columns do not have. */
type Document = Pick<RequestRecord, 'method' | 'path' | 'cache' | 'deadlineMs' | 'sections' | 'calls' | 'process'>

const recordFrom = (row: RequestRecordRow): RequestRecord => ({
  ...{ recordId: row.record_id, requestId: row.request_id, tenant: row.tenant_id, mode: row.mode },
  ...{ at: Date.parse(row.at), kind: row.kind, route: row.route, status: row.status, ms: row.ms },
  ...{ code: row.code, keyId: row.key_id, ...(JSON.parse(row.document) as Document) },
})
