import type { RecordListQuery, RecordScope } from '../../../diagnostics/reports/request-records.ts'
import type { RecordKind } from '../../../diagnostics/request-record-kind.ts'
import { type Mode, modes } from '../../../tenant.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { capitalize } from '../../text/capitalize.ts'
import { describeRoute } from '../../text/route-text.ts'
import { readTimeWindow, type TimeWindow } from '../time-window.ts'

export const recordKinds: readonly RecordKind[] = ['degraded', 'slow', 'refused']
/** The values of `merchant` for the requests of all merchants, and for those whose key belongs to none. */
export const ALL_MERCHANTS = 'all merchants'
/** The `merchant` of requests whose key names none. No merchant id contains a space. */
export const NO_MERCHANT = 'no valid key'
const NO_MERCHANT_NOTE =
  'Their key is missing or unknown, or was not read. Requests with a revoked or expired key are listed with the merchant that it belongs to.'
const MAX_TEXT_LENGTH = 128

/** The filter of the list of requests, as in its fields. */
export interface RequestFilter extends TimeWindow {
  merchant: string
  /** Empty: both. */
  mode: Mode | ''
  kind: RecordKind | ''
  route: string
  status: string
  code: string
  key: string
  customer: string
  sku: string
  timeZone: string
}

/** What the text of a field may be. Any other text counts as none, and is not shown again: it may be a secret. */
const patterns = {
  route: /^\w{1,60}$/,
  status: /^[1-5](?:\d\d|xx)$/i,
  code: /^[a-z_]{1,60}$/i,
  key: /^key_[0-9A-Za-z]{16}$/,
  customer: /^[^\s@][^@]*$/,
  sku: /^[^\s@][^@]*$/,
} as const

/** Reads a filter. A pasted text may have spaces around it. */
export function readRequestFilter(
  query: URLSearchParams,
  scope: Pick<RequestFilter, 'merchant' | 'mode'>,
  merchants: MerchantDirectory,
  now: number,
): RequestFilter {
  const read = (field: keyof typeof patterns) => {
    const text = (query.get(field) ?? '').trim().slice(0, MAX_TEXT_LENGTH)
    return patterns[field].test(text) ? text : ''
  }
  const timeZone = merchants.timeZone(toMerchantId(scope.merchant))
  return {
    ...scope,
    ...readTimeWindow(query, timeZone, now),
    timeZone,
    kind: recordKinds.find((known) => known === query.get('kind')) ?? '',
    route: read('route'),
    status: read('status').toLowerCase(),
    code: read('code').toLowerCase(),
    key: read('key'),
    customer: read('customer'),
    sku: read('sku'),
  }
}

/** Says which requests the list has. */
export function describeRequestFilter(filter: RequestFilter, merchants: MerchantDirectory): string {
  const { merchant, mode, kind, during, route, status, code, key, customer, sku } = filter
  const id = toMerchantId(merchant)
  const name = merchant === NO_MERCHANT ? 'no known merchant' : id === null ? ALL_MERCHANTS : merchants.name(id)
  const of = `of ${name} (${mode || modes.join(' and ')})`
  const time = during
    ? `from ${merchants.time(during.from, id).text} to ${merchants.time(during.to, id).text}`
    : 'of any time'
  const others = [
    route && `what was asked: ${describeRoute(route)}`,
    status && `status ${status}`,
    code && `code ${code}`,
    key && `key ${key}`,
    customer && `customer ${customer}`,
    sku && `SKU ${sku}`,
  ].filter(Boolean)
  const kinds = kind === '' ? 'Degraded, slow and refused' : capitalize(kind)
  const note = merchant === NO_MERCHANT ? ` ${NO_MERCHANT_NOTE}` : ''
  return `${kinds} requests ${of}, ${time}${others.length > 0 ? `; ${others.join(', ')}` : ''}.${note}`
}

const iso = (ms: number) => new Date(ms).toISOString()

export const toRecordListQuery = (
  filter: RequestFilter,
  merchants: MerchantDirectory,
): Omit<RecordListQuery, 'limit' | 'cursor'> => ({
  scopes: toScopes(filter, merchants),
  kind: filter.kind || undefined,
  during: filter.during ? { from: iso(filter.during.from), to: iso(filter.during.to) } : undefined,
  route: filter.route || undefined,
  status: filter.status === '' ? undefined : toStatusRange(filter.status),
  code: filter.code || undefined,
  keyId: filter.key || undefined,
  customerId: filter.customer || undefined,
  sku: filter.sku || undefined,
})

/** Returns the merchant that is chosen; `null`: none, or all. */
export const toMerchantId = (merchant: string): string | null =>
  merchant === NO_MERCHANT || merchant === ALL_MERCHANTS ? null : merchant

function toScopes({ merchant, mode }: RequestFilter, { ids }: MerchantDirectory): RecordScope[] {
  const chosen = merchant === ALL_MERCHANTS ? [...ids, null] : [toMerchantId(merchant)]
  return chosen.flatMap((id) => (mode === '' ? modes : [mode]).map((one) => ({ merchant: id, mode: one })))
}

/** `5xx` is 500 to 599. */
const toStatusRange = (text: string) => ({
  min: Number(text.replace('xx', '00')),
  max: Number(text.replace('xx', '99')),
})
