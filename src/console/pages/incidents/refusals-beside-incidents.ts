import { isOfDemoShop } from '../../../diagnostics/demo-shop-route.ts'
import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { Database } from '../../../storage/database.ts'
import type { RequestRecordRow } from '../../../storage/diagnostics/request-records.ts'
import { type RecordSearch, searchRequestRecords } from '../../../storage/diagnostics/search-request-records.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { describeErrorCode } from '../../text/error-code-text.ts'
import { formatCount } from '../../text/format-numbers.ts'
import { describeReachedLimit } from '../../text/rate-limit-text.ts'
import { nameRefusedSkus } from '../../text/sku-refusal-text.ts'
import { NO_MERCHANT } from '../requests/request-filter.ts'
import type { FailureBesideIncidentView } from './failures-beside-incidents-view.ts'

const MAX_REFUSALS = 100

/** Reads the requests that were refused, by reason. */
export async function readRefusalsBesideIncidents(
  db: Database,
  search: Pick<RecordSearch, 'merchant' | 'mode' | 'during'>,
  around: Readonly<Record<string, string>>,
  merchants: MerchantDirectory,
): Promise<FailureBesideIncidentView[]> {
  const { merchant, mode } = search
  const query = { ...search, kinds: ['refused'] as const, withoutEndedKeys: true, limit: MAX_REFUSALS }
  const rows = await searchRequestRecords(db, query)
  const of = merchant === null ? `of no known merchant (${mode})` : `of ${merchants.name(merchant)} (${mode})`
  const link = { merchant: merchant ?? NO_MERCHANT, mode, kind: 'refused', ...around }
  // The server of the demo shop only passes on what the API refused.
  const own = rows.filter((row) => !isOfDemoShop(row))
  return [...Map.groupBy(own, toReason)].map(([reason, group]) => ({
    at: merchants.time(group.at(-1)!.at, merchant),
    text: `${rows.length === MAX_REFUSALS ? 'At least ' : ''}${formatCount(group.length, 'request')} ${of} refused: ${[reason, nameRefusedSkus(group.map(readDocument))].filter(Boolean).join(': ')}`,
    href: `/request?${new URLSearchParams({ ...link, code: group[0]!.code ?? '' })}`,
  }))
}

/** Of a limited request, the limit: most limits concern one shopper, and not the shop. */
function toReason(row: RequestRecordRow): string {
  const { code, status } = row
  const name = code === null ? `status ${status}` : describeErrorCode(code).name
  const { reachedLimit } = readDocument(row)
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  return limit ? `${name}: ${limit.name}` : name
}

const readDocument = ({ document }: RequestRecordRow) =>
  JSON.parse(document) as Pick<RequestRecord, 'reachedLimit' | 'refusedSkus' | 'skuRefusals'>
