import type { Mode } from '../../config/config.ts'
import { readActiveMode } from '../../diagnostics/active-mode.ts'
import { buildTimeline } from '../../diagnostics/timeline.ts'
import type { Database } from '../../storage/database.ts'
import type { ConsolePage, JsonResponse, TemplateResponse } from '../console-page.ts'
import { type MerchantDirectory, modes, readMerchantFilter } from '../merchant-directory.ts'
import { parseLocalTime } from '../text/format-times.ts'
import { checkMerchantFilter } from './merchant-filter.ts'
import { toTimelineCharts } from './timeline-charts.ts'
import { toChartViews } from './timeline-page-view.ts'
import { readTimelineRange, type TimelineRange, timelineRanges } from './timeline-ranges.ts'

export interface TimelinePagesParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

interface Asked {
  merchant: string
  mode: Mode
  range: TimelineRange
  /** A time of the shop's, as a form has it, which lies in the middle; empty: up to now. */
  at: string
}

/** Without a choice: the first merchant, in the mode that is used, in the last hour. */
async function askedOf(query: URLSearchParams, { db, merchants, now }: TimelinePagesParts): Promise<Asked> {
  const { merchant: chosen, mode } = readMerchantFilter(query, merchants)
  const merchant = chosen ?? merchants.all[0]?.merchant ?? ''
  const at = query.get('at') ?? ''
  return {
    merchant,
    mode: mode ?? (await readActiveMode(db, merchant, now())),
    range: readTimelineRange(query.get('range')),
    at: parseLocalTime(at, merchants.zone(merchant)) === null ? '' : at,
  }
}

/** No longer are minutes kept. */
const MINUTES_MS = 2 * 86_400_000

async function read({ merchant, mode, range, at }: Asked, { db, merchants, now: clock }: TimelinePagesParts) {
  const now = clock()
  const { ms, step: usual } = timelineRanges[range]
  const middle = parseLocalTime(at, merchants.zone(merchant))
  const toMs = middle === null ? now : middle + ms / 2
  const span = { fromMs: toMs - ms, toMs }
  const step = span.fromMs < now - MINUTES_MS ? 'hour' : usual
  return { span, timeline: await buildTimeline(db, { tenant: merchant, mode, step, now, ...span }) }
}

/** How degraded and how slow a merchant's answers were over time, a chart for each section and system. */
export function createTimelinePage(parts: TimelinePagesParts): ConsolePage {
  const { merchants } = parts
  return {
    ...{ method: 'GET', path: '/timeline', role: 'support' },
    async answer({ query }): Promise<TemplateResponse> {
      const missing = checkMerchantFilter('/timeline', query, merchants)
      if (missing) return missing
      const asked = await askedOf(query, parts)
      const { timeline } = await read(asked, parts)
      const to = (of: Partial<Asked>) => `/timeline?${queryOf({ ...asked, ...of })}`
      return {
        template: 'timeline',
        title: 'Timeline',
        view: {
          ...{ asked, shop: merchants.name(asked.merchant), choice: { merchants: merchants.all, modes } },
          ranges: Object.entries(timelineRanges).map(([range, { name }]) => ({
            range,
            name,
            href: to({ range: range as TimelineRange }),
          })),
          ...{ zone: merchants.zone(asked.merchant), latest: asked.at && to({ at: '' }) },
          series: `/timeline/series?${queryOf(asked)}`,
          charts: toChartViews(timeline, asked.merchant, merchants),
        },
      }
    },
  }
}

const queryOf = ({ at, ...asked }: Asked) => new URLSearchParams({ ...asked, ...(at && { at }) })

/** The same in numbers, for the page's script. */
export function createTimelineSeriesPage(parts: TimelinePagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/timeline/series', role: 'support' },
    async answer({ query }): Promise<JsonResponse> {
      if (checkMerchantFilter('/timeline', query, parts.merchants)) return { json: {}, status: 404 }
      const asked = await askedOf(query, parts)
      const { span, timeline } = await read(asked, parts)
      return { json: toTimelineCharts(timeline, { ...span, timeZone: parts.merchants.zone(asked.merchant) }) }
    },
  }
}
