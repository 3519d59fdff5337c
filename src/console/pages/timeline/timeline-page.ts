import { readActiveMode } from '../../../diagnostics/reports/read-active-mode.ts'
import { buildTimeline } from '../../../diagnostics/reports/timeline.ts'
import type { Database } from '../../../storage/database.ts'
import { type Mode, modes } from '../../../tenant.ts'
import type { ConsolePage, JsonResponse, RedirectResponse, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { parseLocalTime } from '../../text/parse-local-time.ts'
import { describeServerStart } from '../../text/server-start-text.ts'
import { checkMerchantFilter, readMerchantFilter } from '../merchant-filter.ts'
import { readTypedTimeField, redirectToDatedTime } from '../typed-time-field.ts'
import { toTimelineChartData } from './timeline-chart-data.ts'
import { type FirstSection, toChartViews } from './timeline-charts-view.ts'
import { readTimelineRange, type TimelineRange, timelineRanges } from './timeline-ranges.ts'

export interface TimelinePagesParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

interface TimelineFilter {
  merchant: string
  mode: Mode
  range: TimelineRange
  /** The middle of the timeline, as a local time of the merchant. Empty: the timeline ends now. */
  at: string
  /** Of `at`. */
  zone: string
  /** `pricing.price`: the section whose charts come first; empty: none. */
  first: string
}

const FIRST = /^[a-z-]*\.\w{1,60}$/

function parseFirst(first: string): FirstSection | null {
  const [system, section] = first.split('.')
  return section === undefined ? null : { system: system!, section }
}

/** Defaults to the first merchant, its active mode and the last hour. */
async function readFilter(query: URLSearchParams, { db, merchants, now }: TimelinePagesParts): Promise<TimelineFilter> {
  const filter = readMerchantFilter(query, merchants)
  const merchant = filter.merchant ?? merchants.all[0]?.merchant ?? ''
  const zone = merchants.timeZone(merchant)
  const first = query.get('first') ?? ''
  return {
    merchant,
    mode: filter.mode ?? (await readActiveMode(db, merchant, now())),
    range: readTimelineRange(query.get('range')),
    at: readTypedTimeField(query, zone, now()).at,
    zone,
    first: FIRST.test(first) ? first : '',
  }
}

/** Minutes are stored for two days; older times are only available by the hour. */
const MINUTE_RETENTION_MS = 2 * 86_400_000

async function readTimeline(filter: TimelineFilter, { db, now: clock }: TimelinePagesParts) {
  const now = clock()
  const { merchant, mode, range, at, zone } = filter
  const { ms, step: rangeStep } = timelineRanges[range]
  const middleMs = parseLocalTime(at, zone)
  const toMs = middleMs === null ? now : middleMs + ms / 2
  const period = { fromMs: toMs - ms, toMs }
  const step = period.fromMs < now - MINUTE_RETENTION_MS ? 'hour' : rangeStep
  return { period, timeline: await buildTimeline(db, { merchant, mode, step, now, ...period }) }
}

/** Creates the page of degraded shares and latencies over time, with a chart for each section and system. */
export function createTimelinePage(parts: TimelinePagesParts): ConsolePage {
  const { merchants } = parts
  return {
    method: 'GET',
    path: '/timeline',
    role: 'support',
    async respond({ query }): Promise<TemplateResponse | RedirectResponse> {
      const notFound = checkMerchantFilter('/timeline', query, merchants)
      if (notFound) return notFound
      const filter = await readFilter(query, parts)
      const { dated, isUnreadable } = readTypedTimeField(query, filter.zone, parts.now())
      if (dated !== null) return redirectToDatedTime('/timeline', query, dated)
      const { timeline } = await readTimeline(filter, parts)
      const toHref = (change: Partial<TimelineFilter>) => `/timeline?${toQuery({ ...filter, ...change })}`
      const view = {
        filter,
        merchantName: merchants.name(filter.merchant),
        choices: { merchants: merchants.all, modes },
        ranges: Object.entries(timelineRanges).map(([range, { name }]) => ({
          range,
          name,
          href: toHref({ range: range as TimelineRange }),
        })),
        isUnreadable,
        latestHref: filter.at && toHref({ at: '' }),
        seriesHref: `/timeline/series?${toQuery(filter)}`,
        starts: timeline.starts.map((start) => ({
          at: merchants.time(start.atMs, filter.merchant),
          text: describeServerStart(start),
        })),
        charts: toChartViews(timeline, filter.merchant, merchants, parseFirst(filter.first)),
      }
      return { template: 'timeline', title: 'Timeline', view }
    },
  }
}

const toQuery = ({ at, zone, first, ...filter }: TimelineFilter) =>
  new URLSearchParams({ ...filter, ...(at && { at, zone }), ...(first && { first }) })

/** Creates the JSON page from which the script draws the charts. */
export function createTimelineSeriesPage(parts: TimelinePagesParts): ConsolePage {
  return {
    method: 'GET',
    path: '/timeline/series',
    role: 'support',
    async respond({ query }): Promise<JsonResponse> {
      if (checkMerchantFilter('/timeline', query, parts.merchants)) return { json: {}, status: 404 }
      const filter = await readFilter(query, parts)
      const { period, timeline } = await readTimeline(filter, parts)
      return { json: toTimelineChartData(timeline, { ...period, timeZone: filter.zone }) }
    },
  }
}
