import { isOfDemoShop } from '../../../diagnostics/demo-shop-route.ts'
import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { IncidentReference } from '../../../storage/diagnostics/incident-queries.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { describeDegradedSection } from '../../text/degraded-section-text.ts'
import { describeErrorCode } from '../../text/error-code-text.ts'
import { describeFailedCall, listUnseenFailedCalls } from '../../text/failed-call-text.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeReachedLimit } from '../../text/rate-limit-text.ts'
import { DEMO_SHOP_NAME, describeRoute, toShownRoute } from '../../text/route-text.ts'
import type { StatusPill } from '../status-pill.ts'
import { toRecordPill } from './record-pill.ts'
import { describeStoreFailure } from './request-problem-view.ts'

/** A row of the list of latest requests. */
export interface RecentRequestView {
  href: string
  requestId: string
  /** The name of the merchant, followed by its mode. */
  merchantName: string
  at: DisplayTime
  pill: StatusPill
  /** What was asked, in words and as the operation of the API. */
  asked: string
  route: string
  status: number
  duration: string
  reason: string
}

export function toRecentRequestView(
  record: RequestRecord,
  incidents: readonly IncidentReference[],
  merchants: MerchantDirectory,
): RecentRequestView {
  const failures = record.sections.flatMap(({ code, kind }) =>
    code === null ? [] : [describeDegradedSection({ code, kind })],
  )
  const storeFailure = record.code === 'store_unavailable' ? describeStoreFailure(incidents) : null
  const reasons =
    failures.length === 0 && record.code
      ? [storeFailure ?? describeErrorCode(record.code).name]
      : [...failures, ...listUnseenFailedCalls(record).map(describeFailedCall)]
  return {
    href: `/request?${new URLSearchParams({ id: record.requestId })}`,
    requestId: record.requestId,
    merchantName: `${isOfDemoShop(record) ? DEMO_SHOP_NAME : merchants.name(record.tenant)} (${record.mode})`,
    at: merchants.time(record.at, record.tenant),
    pill: toRecordPill(record),
    asked: describeRoute(record.route),
    route: toShownRoute(record.route),
    status: record.status,
    duration: formatElapsedMs(record.ms),
    reason: [...new Set(reasons)].join(', ') + describeLimitName(record),
  }
}

function describeLimitName({ reachedLimit }: RequestRecord): string {
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  return limit ? `: ${limit.name}` : ''
}
