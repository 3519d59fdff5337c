import type { RecordKind, RequestRecord } from '../../diagnostics/request-records.ts'
import type { IncidentReference } from '../../storage/diagnostics/incidents-at.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { describeErrorCode, type ErrorCodeEntry, toErrorCodeEntry } from '../text/error-code-text.ts'
import { type DisplayTime, formatElapsedMs } from '../text/format-times.ts'
import type { StatusPill } from './now-page-view.ts'
import { type CallRowView, type SectionRowView, toCallRowView, toSectionRowView } from './request-row-views.ts'
import { summarizeRequest, toRequestFacts } from './request-summary.ts'
import { toCallWaterfallSpan, toRequestWaterfall, toSectionWaterfallSpan } from './request-waterfall.ts'

export interface RequestRecordView {
  requestId: string
  at: DisplayTime
  shop: string
  mode: string
  pill: StatusPill
  /** All of it in a sentence. */
  sentence: string
  facts: [name: string, value: string][]
  /** Of the problem that was answered. */
  problem: ErrorCodeEntry | null
  wholeMs: string
  deadline: number | null
  sections: SectionRowView[]
  calls: CallRowView[]
}

export function toRequestRecordView(
  of: RequestRecord,
  incidents: readonly IncidentReference[],
  merchants: MerchantDirectory,
): RequestRecordView {
  const startedAt = of.at - of.ms
  const spans = [
    ...of.sections.map((section) => toSectionWaterfallSpan(section, of.ms)),
    ...of.calls.map((call) => toCallWaterfallSpan(call, startedAt, of.ms)),
  ]
  const { bars, deadline, wholeMs } = toRequestWaterfall(spans, of)
  return {
    ...{ requestId: of.requestId, at: merchants.moment(of.at, of.tenant), shop: merchants.name(of.tenant) },
    ...{ mode: of.mode, pill: pills[of.kind], sentence: summarizeRequest(of), facts: toRequestFacts(of) },
    ...{ problem: of.code === null ? null : toErrorCodeEntry(of.code), wholeMs: formatElapsedMs(wholeMs), deadline },
    sections: of.sections.map((section, at) =>
      toSectionRowView(section, { startedAt, status: of.status, bar: bars[at]!, incidents }),
    ),
    calls: of.calls.map((call, at) =>
      toCallRowView(call, { startedAt, endedMs: of.ms, bar: bars[of.sections.length + at]! }),
    ),
  }
}

const pills: Readonly<Record<RecordKind, StatusPill>> = {
  degraded: { tone: 'failing', word: 'Degraded' },
  slow: { tone: 'warning', word: 'Slow' },
  refused: { tone: 'warning', word: 'Refused' },
}

export interface RecentRequestView {
  href: string
  requestId: string
  at: DisplayTime
  pill: StatusPill
  route: string
  status: number
  ms: string
  why: string
}

/** A record in a line. */
export function toRecentRequestView(of: RequestRecord, merchants: MerchantDirectory): RecentRequestView {
  const codes = of.code ? [of.code] : of.sections.flatMap(({ code }) => (code === null ? [] : [code]))
  return {
    ...{ href: `/request?${new URLSearchParams({ id: of.requestId })}`, requestId: of.requestId },
    ...{ at: merchants.moment(of.at, of.tenant), pill: pills[of.kind], route: of.route, status: of.status },
    ...{ ms: formatElapsedMs(of.ms), why: [...new Set(codes)].map((code) => describeErrorCode(code).name).join(', ') },
  }
}
