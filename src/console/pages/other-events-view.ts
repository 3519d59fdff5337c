import type { Database } from '../../storage/database.ts'
import { type RecordSearch, searchRequestRecords } from '../../storage/diagnostics/search-request-records.ts'
import { listAuditLog } from '../../storage/operators/audit-log.ts'
import { modes } from '../../tenant.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeAuditAction } from '../text/audit-action-text.ts'
import { describeErrorCode } from '../text/error-code-text.ts'
import { formatCount } from '../text/format-numbers.ts'
import type { DisplayTime } from '../text/format-times.ts'
import { NO_MERCHANT } from './request-filter.ts'
import type { TimeWindow } from './time-window.ts'

/** Something around a time that went wrong and is no incident. */
export interface OtherEventView {
  at: DisplayTime
  text: string
  href: string
}

const MAX_AUDIT_ENTRIES = 100
const MAX_EVENTS = 20
/** More are not looked at: each is a query. */
const MAX_MERCHANTS = 10
const MAX_REFUSALS = 100

/** Reads the commands and actions that failed around a time, and the requests that were refused, counted by merchant and reason. */
export async function readOtherEvents(
  db: Database,
  { during, at, minutes, timeZone }: TimeWindow & { timeZone: string },
  merchants: MerchantDirectory,
): Promise<OtherEventView[]> {
  if (during === null) return []
  const period = { from: new Date(during.from).toISOString(), to: new Date(during.to).toISOString() }
  const audited = await listAuditLog(db, { ...period, limit: MAX_AUDIT_ENTRIES })
  const failed = audited.filter(({ outcome }) => outcome === 'failed')
  const around = { at, within: String(minutes), zone: timeZone }
  const tenants = [
    ...merchants.all.slice(0, MAX_MERCHANTS).flatMap(({ merchant }) => modes.map((mode) => ({ merchant, mode }))),
    ...modes.map((mode) => ({ merchant: null, mode })),
  ]
  const refusals = await Promise.all(
    tenants.map((tenant) => readRefusals(db, { ...tenant, during: period }, around, merchants)),
  )
  return [
    ...failed.map((entry) => ({
      at: merchants.time(entry.at, null),
      text: `Failed: ${describeAuditAction(entry.action)}`,
      href: `/audit?${new URLSearchParams({ action: entry.action })}#${entry.entry_id}`,
    })),
    ...refusals.flat(),
  ].slice(0, MAX_EVENTS)
}

async function readRefusals(
  db: Database,
  search: Pick<RecordSearch, 'merchant' | 'mode' | 'during'>,
  around: Readonly<Record<string, string>>,
  merchants: MerchantDirectory,
): Promise<OtherEventView[]> {
  const { merchant, mode } = search
  const found = await searchRequestRecords(db, { ...search, kinds: ['refused'], limit: MAX_REFUSALS })
  // A known key that is refused is an incident.
  const rows = found.filter(({ code, key_id }) => code !== 'invalid_api_key' || key_id === null)
  const of = merchant === null ? `without a valid key (${mode})` : `of ${merchants.name(merchant)} (${mode})`
  const query = { merchant: merchant ?? NO_MERCHANT, mode, kind: 'refused', ...around }
  return [...Map.groupBy(rows, ({ code }) => code ?? '')].map(([code, group]) => ({
    at: merchants.time(group.at(-1)!.at, merchant),
    text: `${found.length === MAX_REFUSALS ? 'At least ' : ''}${formatCount(group.length, 'request')} ${of} refused: ${describeErrorCode(code).name}`,
    href: `/request?${new URLSearchParams(code === '' ? query : { ...query, code })}`,
  }))
}
