import type { RecordKind, RequestRecord } from '../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import type { IncidentReference } from '../../storage/diagnostics/incident-queries.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toKeyPath } from '../page-paths.ts'
import { describeErrorCode, type ErrorCodeEntry, endedKeyText, toErrorCodeEntry } from '../text/error-code-text.ts'
import {
  adviceForFailure,
  capitalizeFailure,
  concernsForecourt,
  describeFailure,
  SIMULATED_FAILURE_ADVICE,
} from '../text/failure-kind-text.ts'
import { describeFailureReason } from '../text/failure-reason-text.ts'
import { formatElapsedMs } from '../text/format-durations.ts'
import type { DisplayTime } from '../text/format-times.ts'
import { isStoreIncident } from '../text/incident-status-text.ts'
import { describeReachedLimit } from '../text/rate-limit-text.ts'
import { describeRoute } from '../text/route-text.ts'
import { callAboutForecourt, callAboutMerchant, callAboutSystem, type WhomToCall } from '../whom-to-call.ts'
import { summarizeRequest, toRequestFacts } from './request-summary.ts'
import { toCallWaterfallSpan, toRequestWaterfall, toSectionWaterfallSpan } from './request-waterfall.ts'
import {
  type CallRowView,
  type SectionRowView,
  toCallRowView,
  toSectionRowView,
  toShownCode,
} from './section-and-call-row-views.ts'
import type { StatusPill } from './status-pill.ts'

export interface RequestRecordView {
  requestId: string
  at: DisplayTime
  /** The time zone of `at`. */
  timeZone: string
  merchantName: string
  mode: string
  pill: StatusPill
  summary: string
  facts: [name: string, value: string][]
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
    merchantName: merchants.name(tenant),
    mode: record.mode,
    pill: toKindPill(record),
    summary: summarizeRequest(record),
    facts: toRequestFacts(record),
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
  if (tenant !== null && reachedLimit)
    return [
      callAboutMerchant(merchants, tenant),
      ...(limitsOfConfiguration.has(reachedLimit.name) ? [callAboutForecourt(merchants)] : []),
    ]
  const failed = sections.filter(
    ({ kind, code: sectionCode, simulated }) => kind !== undefined && sectionCode !== 'maintenance' && !simulated,
  )
  const systems = tenant === null ? [] : [...new Set(failed.flatMap(({ system }) => system || []))]
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

/** A refused request does not record why the store failed: its incident does. */
const listStoreFailures = (incidents: readonly IncidentReference[]): string[] =>
  Object.keys(JSON.parse(incidents.find(isStoreIncident)?.causes ?? '{}') as object)

function describeStoreFailure(incidents: readonly IncidentReference[]): string | null {
  const kinds = listStoreFailures(incidents)
  return kinds.length === 0 ? null : kinds.map(capitalizeFailure).join(', ')
}

/** The code of the problem, if a required section fails with another one. */
const problemCodesBySection: Readonly<Record<string, string>> = {
  invalid_downstream_response: 'downstream_error',
  downstream_rate_limited: 'downstream_unavailable',
  not_configured: 'downstream_unavailable',
}

/** Finds the section that failed as the problem says. An optional one may have failed too, and is not the cause of, say, `internal_error`. */
const findCausingSection = ({ sections, status, code }: RequestRecord) =>
  status < 500
    ? undefined
    : sections.find(
        (section) =>
          section.kind !== undefined &&
          section.code !== null &&
          (problemCodesBySection[section.code] ?? section.code) === code,
      )

/** An unknown key has no id. */
const hasEndedKey = ({ code, keyId }: RequestRecord) => code === 'invalid_api_key' && keyId !== null

interface ProblemContext {
  toTime: (at: number) => string
  incidents: readonly IncidentReference[]
}

function toProblem(record: RequestRecord, code: string, { toTime, incidents }: ProblemContext): ErrorCodeEntry {
  const entry = toErrorCodeEntry(code)
  const { reachedLimit } = record
  if (hasEndedKey(record)) return { ...entry, ...endedKeyText }
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  if (reachedLimit && limit) {
    const until = toTime(record.at + reachedLimit.retryAfterSeconds * 1_000)
    return { ...entry, meaning: `${limit.meaning} The limit lasts until ${until}.`, advice: limit.advice }
  }
  const failed = findCausingSection(record)
  if (failed?.simulated) return { ...entry, advice: SIMULATED_FAILURE_ADVICE }
  // A code covers several failures; the section has the same advice.
  const [kind = ''] = code === 'store_unavailable' ? listStoreFailures(incidents) : [failed?.kind]
  // Storefronts get downstream_error for several failures.
  const { meaning } = failed?.code ? describeErrorCode(toShownCode(failed)) : entry
  return { ...entry, meaning, advice: adviceForFailure(kind) || entry.advice }
}

function toProblemCause(record: RequestRecord, incidents: readonly IncidentReference[]): string | null {
  if (record.code === 'store_unavailable') return describeStoreFailure(incidents)
  const failed = findCausingSection(record)
  return failed?.kind ? `${nameSystem(failed.system ?? '')}: ${describeFailure(failed.kind)}` : null
}

const kindPills: Readonly<Record<RecordKind, StatusPill>> = {
  degraded: { tone: 'failing', text: 'Degraded' },
  slow: { tone: 'warning', text: 'Slow' },
  refused: { tone: 'warning', text: 'Refused' },
}

/** A refused response has no section to be degraded. */
const toKindPill = ({ kind, status }: Pick<RequestRecord, 'kind' | 'status'>): StatusPill =>
  status >= 500 ? { tone: 'failing', text: 'Refused with an error' } : kindPills[kind]

/** A row of the list of latest requests. */
export interface RecentRequestView {
  href: string
  requestId: string
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
    code === null ? [] : [describeFailureReason({ code, kind })],
  )
  const storeFailure = record.code === 'store_unavailable' ? describeStoreFailure(incidents) : null
  const reasons =
    failures.length === 0 && record.code ? [storeFailure ?? describeErrorCode(record.code).name] : failures
  return {
    href: `/request?${new URLSearchParams({ id: record.requestId })}`,
    requestId: record.requestId,
    at: merchants.time(record.at, record.tenant),
    pill: toKindPill(record),
    asked: describeRoute(record.route),
    route: record.route,
    status: record.status,
    duration: formatElapsedMs(record.ms),
    reason: [...new Set(reasons)].join(', ') + describeLimitName(record),
  }
}

function describeLimitName({ reachedLimit }: RequestRecord): string {
  const limit = reachedLimit && describeReachedLimit(reachedLimit.name)
  return limit ? `: ${limit.name}` : ''
}
