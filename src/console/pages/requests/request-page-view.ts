import { isOfDemoShop } from '../../../diagnostics/demo-shop-route.ts'
import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import { isStoreIncident } from '../../../diagnostics/status/is-store-incident.ts'
import type { IncidentReference } from '../../../storage/diagnostics/incident-queries.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toKeyPath } from '../../page-paths.ts'
import type { ErrorCodeEntry } from '../../text/error-code-text.ts'
import { listUnseenFailedCalls } from '../../text/failed-call-text.ts'
import { concernsForecourt } from '../../text/failure-advice-text.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { DEMO_SHOP_NAME } from '../../text/route-text.ts'
import { listRefusingSystems } from '../../text/sku-refusal-text.ts'
import { callAboutForecourt, callAboutMerchant, callAboutSystem, type WhomToCall } from '../../whom-to-call.ts'
import type { StatusPill } from '../status-pill.ts'
import { toRecordPill } from './record-pill.ts'
import { type CheckoutOrder, type RequestFact, toRequestFacts } from './request-facts.ts'
import { hasEndedKey, toProblem, toProblemCause } from './request-problem-view.ts'
import { summarizeRequest } from './request-summary.ts'
import { toCallWaterfallSpan, toRequestWaterfall, toSectionWaterfallSpan } from './request-waterfall.ts'
import { type CallRowView, type SectionRowView, toCallRowView, toSectionRowView } from './section-and-call-row-views.ts'

export interface RequestRecordView {
  requestId: string
  at: DisplayTime
  /** The time zone of `at`. */
  timeZone: string
  merchantName: string
  /** It is of the demo shop’s own server, which called the API with the same id. */
  isOfDemoShop: boolean
  mode: string
  pill: StatusPill
  summary: string
  facts: RequestFact[]
  /** The problem of the response. */
  problem: ErrorCodeEntry | null
  /** How the system failed that caused the problem; `null`: no system did. */
  problemCause: string | null
  /** The incident of the store at that time; `null`: the store did not cause the problem, or its incident is not written yet. */
  storeIncidentHref: string | null
  /** The key of a request that was refused because of it; `null`: any other. */
  keyHref: string | null
  whomToCall: WhomToCall[]
  /** The width of the bars. */
  scale: string
  /** The position of the deadline on the bars, in thousandths. */
  deadline: number | null
  sections: SectionRowView[]
  calls: CallRowView[]
}

export function toRequestRecordView(
  record: RequestRecord,
  incidents: readonly IncidentReference[],
  merchants: MerchantDirectory,
  orders: readonly CheckoutOrder[] = [],
): RequestRecordView {
  const { tenant, ms, code, status } = record
  const toTime = (at: number) => merchants.time(at, tenant).text
  const startedAt = record.at - ms
  const spans = [
    ...record.sections.map((section) => toSectionWaterfallSpan(section, ms)),
    ...record.calls.map((call) => toCallWaterfallSpan(call, startedAt, ms)),
  ]
  const { bars, deadline, scaleMs } = toRequestWaterfall(spans, record)
  const callBars = bars.slice(record.sections.length)
  return {
    requestId: record.requestId,
    at: merchants.timeWithDate(record.at, tenant),
    timeZone: merchants.timeZone(tenant),
    merchantName: isOfDemoShop(record) ? DEMO_SHOP_NAME : merchants.name(tenant),
    isOfDemoShop: isOfDemoShop(record),
    mode: record.mode,
    pill: toRecordPill(record),
    summary: summarizeRequest(record),
    facts: toRequestFacts(record, orders),
    problem: code === null ? null : toProblem(record, code, { toTime, incidents }),
    problemCause: code === null ? null : toProblemCause(record, incidents),
    storeIncidentHref: code === 'store_unavailable' ? findStoreIncidentPath(incidents) : null,
    keyHref: hasEndedKey(record) ? toKeyPath(record.keyId!) : null,
    whomToCall: toWhomToCall(record, merchants),
    scale: formatElapsedMs(scaleMs),
    deadline,
    sections: record.sections.map((section, index) =>
      toSectionRowView(section, { endedAt: record.at, status, bar: bars[index]!, incidents }),
    ),
    calls: record.calls.map((call, index) => toCallRowView(call, { startedAt, endedMs: ms, bar: callBars[index]! })),
  }
}

/** Whoever runs Forecourt raises the limit of a key, and sets which proxies are trusted. */
const limitsOfConfiguration: ReadonlySet<string> = new Set([
  'key',
  'loginsByAddress',
  'emailsByAddress',
  'wrongTokensByAddress',
])

/** About the shop of a refused key or limit, the systems that failed, and about Forecourt if its store or its configuration may be the cause. */
function toWhomToCall(record: RequestRecord, merchants: MerchantDirectory): WhomToCall[] {
  const { tenant, mode, sections, code, reachedLimit } = record
  if (tenant !== null && hasEndedKey(record))
    return [callAboutMerchant(merchants, tenant), callAboutForecourt(merchants)]
  // Only the shop knows its shoppers.
  if (tenant !== null && code === 'invalid_credentials') return [callAboutMerchant(merchants, tenant)]
  if (tenant !== null && reachedLimit)
    return [
      callAboutMerchant(merchants, tenant),
      ...(limitsOfConfiguration.has(reachedLimit.name) ? [callAboutForecourt(merchants)] : []),
    ]
  const failed = sections.filter(
    ({ kind, code: sectionCode, simulated }) => kind !== undefined && sectionCode !== 'maintenance' && !simulated,
  )
  const refusing = code === 'line_unavailable' ? listRefusingSystems(record) : []
  const unseen = listUnseenFailedCalls(record)
  const systems =
    tenant === null
      ? []
      : [
          ...new Set([
            ...failed.flatMap(({ system }) => system || []),
            ...unseen.map(({ system }) => system),
            ...refusing,
          ]),
        ]
  const isForecourtAsked = code === 'store_unavailable' || failed.some(({ kind }) => concernsForecourt(kind!))
  return [
    ...systems.map((system) => callAboutSystem(merchants, { merchant: tenant!, mode }, system)),
    ...(isForecourtAsked ? [callAboutForecourt(merchants)] : []),
  ]
}

function findStoreIncidentPath(incidents: readonly IncidentReference[]): string | null {
  const found = incidents.find(isStoreIncident)
  return found ? `/incidents/${found.incident_id}` : null
}
