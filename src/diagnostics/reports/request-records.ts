import type { SkuRefusal } from '../../errors.ts'
import type { SectionTrace } from '../../sections/section-trace.ts'
import type { Database } from '../../storage/database.ts'
import { requestRecordKinds } from '../../storage/diagnostics/prune-request-records.ts'
import { findRequestRecords, type RequestRecordRow } from '../../storage/diagnostics/request-records.ts'
import {
  type RecordPosition,
  type RecordSearch,
  searchRequestRecords,
} from '../../storage/diagnostics/search-request-records.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'
import type { ReachedLimit } from '../finished-request.ts'
import type { RecordKind } from '../request-record-kind.ts'

/** A recorded request, as the console shows it. */
export interface RequestRecord {
  recordId: string
  requestId: string
  /** The merchant, also of a revoked or expired key; `null` without a key, or with an unknown one. */
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
  /** The customer's id in the back office; `null`: unknown. */
  customerId: string | null
  deadlineMs: number | null
  sections: SectionTrace[]
  calls: CallTrace[]
  /** The process that responded. */
  process: string
  /** For a 429; absent: none, or an earlier release wrote the record. */
  reachedLimit?: ReachedLimit
  /** The SKUs that the problem of the response names; absent: none, or an earlier release wrote the record. */
  refusedSkus?: string[]
  /** Why they were refused; absent: not known, or an earlier release wrote the record. */
  skuRefusals?: SkuRefusal[]
  /** The cart that it is about; absent: none, not known, or an earlier release wrote the record. */
  cartId?: string
}

const MAX_RECORDS_PER_ID = 20

/** Reads the records of a request id in any letter case, the latest first. Clients choose the ids and may repeat them. */
export async function readRequestRecords(db: Database, requestId: string): Promise<RequestRecord[]> {
  return (await findRequestRecords(db, requestId, MAX_RECORDS_PER_ID)).map(toRequestRecord)
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
  return (await searchRequestRecords(db, { ...query, kinds: kind ? [kind] : requestRecordKinds })).map(toRequestRecord)
}

/** `merchant`: `null` for requests without a valid key. */
export type RecordScope = Pick<RecordSearch, 'merchant' | 'mode'>

export interface RecordListQuery extends Omit<RecordSearch, 'kinds' | 'from' | 'merchant' | 'mode'> {
  scopes: readonly RecordScope[]
  kind?: RecordKind | undefined
  /** `older` or `newer` of another page; anything else counts as none. */
  cursor?: string | undefined
}

export interface RecordPage {
  records: RequestRecord[]
  /** The cursors of the next pages; `null`: there are none. */
  older: string | null
  newer: string | null
}

/** Lists a page of matching records, the latest first. */
export async function listRecordPage(
  db: Database,
  { kind, cursor, scopes, ...query }: RecordListQuery,
): Promise<RecordPage> {
  const from = parseCursor(cursor)
  const kinds = kind ? [kind] : requestRecordKinds
  const rows = await searchScopes(db, scopes, { ...query, kinds, from, limit: query.limit + 1 })
  const isNewer = from?.direction === 'newer'
  const hasMore = rows.length > query.limit
  const page = isNewer ? rows.slice(-query.limit) : rows.slice(0, query.limit)
  const [first, last] = [page[0], page.at(-1)]
  return {
    records: page.map(toRequestRecord),
    older: last && (isNewer || hasMore) ? toCursor('older', last) : null,
    newer: first && (isNewer ? hasMore : from !== undefined) ? toCursor('newer', first) : null,
  }
}

/** Returns the matching records of all scopes together, the latest first. One query for each scope, as the index begins with it. */
async function searchScopes(
  db: Database,
  scopes: readonly RecordScope[],
  search: Omit<RecordSearch, keyof RecordScope>,
): Promise<RequestRecordRow[]> {
  const keyOf = ({ at, record_id }: RecordPosition) => `${at} ${record_id}`
  const isNewer = search.from?.direction === 'newer'
  let nearest: RequestRecordRow[] = []
  for (const scope of scopes) {
    const found = await searchRequestRecords(db, { ...search, ...scope, during: toReach(search, nearest) })
    const latestFirst = [...nearest, ...found].toSorted((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1))
    nearest = isNewer ? latestFirst.slice(-search.limit) : latestFirst.slice(0, search.limit)
  }
  return nearest
}

/** Returns the period of the records that may still be on the page. */
function toReach(
  { during, from, limit }: Pick<RecordSearch, 'during' | 'from' | 'limit'>,
  nearest: readonly RequestRecordRow[],
): RecordSearch['during'] {
  if (nearest.length < limit) return during
  const { from: earliest, to: latest } = during ?? EVER
  return from?.direction === 'newer' ? { from: earliest, to: nearest[0]!.at } : { from: nearest.at(-1)!.at, to: latest }
}

const EVER = { from: '0000', to: '9999' }

/** Other texts are not looked up: PostgreSQL fails on text that it cannot store. */
const CURSOR = /^(older|newer)~(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([0-9a-f-]{36})$/

const toCursor = (direction: 'older' | 'newer', { at, record_id }: RecordPosition) => `${direction}~${at}~${record_id}`

function parseCursor(text: string | undefined): RecordSearch['from'] {
  const [, direction, at, record_id] = CURSOR.exec(text ?? '') ?? []
  if (!at || !record_id) return undefined
  return { direction: direction === 'newer' ? 'newer' : 'older', position: { at, record_id } }
}

/** The members that are stored as JSON, in the column `document`. */
type Document = Pick<
  RequestRecord,
  | 'method'
  | 'path'
  | 'cache'
  | 'deadlineMs'
  | 'sections'
  | 'calls'
  | 'process'
  | 'reachedLimit'
  | 'refusedSkus'
  | 'skuRefusals'
  | 'cartId'
>

export const toRequestRecord = (row: RequestRecordRow): RequestRecord => ({
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
  customerId: row.customer_id,
  ...(JSON.parse(row.document) as Document),
})
