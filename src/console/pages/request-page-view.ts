import type { RecordKind, RequestRecord } from '../../diagnostics/request-records.ts'
import type { IncidentAt } from '../../storage/diagnostics/incidents-at.ts'
import { codeWords, type NamedCode, namedCode } from '../text/error-code-text.ts'
import type { Merchants } from '../merchant-directory.ts'
import { type Moment, took } from '../text/format-times.ts'
import type { Pill } from './now-page-view.ts'
import { barsOf, sectionSpan, spanOf } from './request-waterfall.ts'
import { type CallShown, callRow, type SectionShown, sectionRow } from './request-row-views.ts'
import { factsOf, sentenceOf } from './request-summary.ts'

export interface RecordShown {
  requestId: string
  at: Moment
  shop: string
  mode: string
  pill: Pill
  /** All of it in a sentence. */
  sentence: string
  facts: [name: string, value: string][]
  /** Of the problem that was answered. */
  problem: NamedCode | null
  wholeMs: string
  deadline: number | null
  sections: SectionShown[]
  calls: CallShown[]
}

export function recordShown(of: RequestRecord, incidents: readonly IncidentAt[], merchants: Merchants): RecordShown {
  const startedAt = of.at - of.ms
  const spans = [
    ...of.sections.map((section) => sectionSpan(section, of.ms)),
    ...of.calls.map((call) => spanOf(call, startedAt, of.ms)),
  ]
  const { bars, deadline, wholeMs } = barsOf(spans, of)
  return {
    ...{ requestId: of.requestId, at: merchants.moment(of.at, of.tenant), shop: merchants.name(of.tenant) },
    ...{ mode: of.mode, pill: pills[of.kind], sentence: sentenceOf(of), facts: factsOf(of) },
    ...{ problem: of.code === null ? null : namedCode(of.code), wholeMs: took(wholeMs), deadline },
    sections: of.sections.map((section, at) =>
      sectionRow(section, { startedAt, status: of.status, bar: bars[at]!, incidents }),
    ),
    calls: of.calls.map((call, at) =>
      callRow(call, { startedAt, endedMs: of.ms, bar: bars[of.sections.length + at]! }),
    ),
  }
}

const pills: Readonly<Record<RecordKind, Pill>> = {
  degraded: { tone: 'failing', word: 'Degraded' },
  slow: { tone: 'warning', word: 'Slow' },
  refused: { tone: 'warning', word: 'Refused' },
}

export interface RecentShown {
  href: string
  requestId: string
  at: Moment
  pill: Pill
  route: string
  status: number
  ms: string
  why: string
}

/** A record in a line. */
export function recentShown(of: RequestRecord, merchants: Merchants): RecentShown {
  const codes = of.code ? [of.code] : of.sections.flatMap(({ code }) => (code === null ? [] : [code]))
  return {
    ...{ href: `/request?${new URLSearchParams({ id: of.requestId })}`, requestId: of.requestId },
    ...{ at: merchants.moment(of.at, of.tenant), pill: pills[of.kind], route: of.route, status: of.status },
    ...{ ms: took(of.ms), why: [...new Set(codes)].map((code) => codeWords(code).name).join(', ') },
  }
}
