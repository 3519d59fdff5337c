import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Mode } from '../../tenant.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'
import type { RequestRecordRow } from './request-records.ts'

/** The position of a record in the list. */
export type RecordPosition = Pick<RequestRecordRow, 'at' | 'record_id'>

export interface RecordSearch {
  /** `null`: requests without a valid key. */
  merchant: string | null
  mode: Mode
  kinds: readonly RequestRecordRow['kind'][]
  /** RFC 3339, both inclusive. */
  during?: { from: string; to: string } | undefined
  route?: string | undefined
  /** Both inclusive. */
  status?: { min: number; max: number } | undefined
  /** The code of the problem or of one of the sections. */
  code?: string | undefined
  keyId?: string | undefined
  /** Without requests of revoked and expired keys, which are an incident. */
  withoutEndedKeys?: boolean
  customerId?: string | undefined
  sku?: string | undefined
  /** Only records before or after this place. */
  from?: { position: RecordPosition; direction: 'older' | 'newer' } | undefined
  limit: number
}

/** Returns matching records, the latest first. One query for each kind, as the index is by kind. */
export async function searchRequestRecords(db: Database, search: RecordSearch): Promise<RequestRecordRow[]> {
  const isAscending = search.from?.direction === 'newer'
  const found: RequestRecordRow[] = []
  for (const kind of search.kinds) found.push(...(await searchKind(db, kind, search)))
  const nearest = found.toSorted((one, other) => compare(one, other) * (isAscending ? 1 : -1)).slice(0, search.limit)
  return isAscending ? nearest.toReversed() : nearest
}

function compare(one: RecordPosition, other: RecordPosition): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return one.record_id < other.record_id ? -1 : 1
}

async function searchKind(db: Database, kind: RequestRecordRow['kind'], search: RecordSearch) {
  const { merchant, mode, from, limit } = search
  let query = db
    .selectFrom('request_records')
    .selectAll()
    .where('tenant_id', merchant === null ? 'is' : '=', merchant)
    .where('mode', '=', mode)
    .where('kind', '=', kind)
    .where((eb) => eb.and([...toConditions(eb, search)]))
  if (from) {
    const { at, record_id } = from.position
    const operator = from.direction === 'older' ? '<' : '>'
    query = query.where((eb) => eb(eb.refTuple('at', 'record_id'), operator, eb.tuple(at, record_id)))
  }
  const order = from?.direction === 'newer' ? 'asc' : 'desc'
  return query.orderBy('at', order).orderBy('record_id', order).limit(limit).execute()
}

type Condition = Expression<SqlBool>

/** Returns the conditions that are checked on each record of the tenant, kind and time. */
function toConditions(
  eb: ExpressionBuilder<Tables, 'request_records'>,
  { during, route, status, code, keyId, withoutEndedKeys, customerId, sku }: RecordSearch,
): Condition[] {
  const lower = (column: 'route' | 'customer_id') => eb.fn<string>('lower', [column])
  const conditions: Condition[] = []
  if (during) conditions.push(eb('at', '>=', during.from).and('at', '<=', during.to))
  if (route !== undefined) conditions.push(eb(lower('route'), '=', route.toLowerCase()))
  if (status) conditions.push(eb('status', '>=', status.min).and('status', '<=', status.max))
  if (code !== undefined) conditions.push(eb.or([eb('code', '=', code), contains(eb, 'section_codes', ` ${code} `)]))
  if (keyId !== undefined) conditions.push(eb('key_id', '=', keyId))
  if (withoutEndedKeys)
    conditions.push(eb.or([eb('code', 'is', null), eb('code', '!=', 'invalid_api_key'), eb('key_id', 'is', null)]))
  if (customerId !== undefined) conditions.push(eb(lower('customer_id'), '=', customerId.toLowerCase()))
  if (sku !== undefined) conditions.push(contains(eb, 'skus', `\n${sku.toLowerCase()}\n`))
  return conditions
}

function contains(
  eb: ExpressionBuilder<Tables, 'request_records'>,
  column: 'skus' | 'section_codes',
  text: string,
): Condition {
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`
  return sql<SqlBool>`${eb.ref(column)} like ${pattern} escape '!'`
}
