import type { Mode } from '../../config/config.ts'
import { timelineOf } from '../../diagnostics/timeline.ts'
import { usedMode } from '../../diagnostics/active-mode.ts'
import type { Database } from '../../storage/database.ts'
import { chosenMerchant, type Merchants, modes } from '../merchant-directory.ts'
import { momentIn } from '../text/format-times.ts'
import { notThere } from './merchant-filter.ts'
import type { ConsolePage, Shown, Told } from '../console-page.ts'
import { chartsOf } from './timeline-charts.ts'
import { type Range, rangeOf, ranges } from './timeline-ranges.ts'
import { chartsShown } from './timeline-page-view.ts'

export interface TimelinePagesParts {
  db: Database
  merchants: Merchants
  now: () => number
}

interface Asked {
  merchant: string
  mode: Mode
  range: Range
  /** A time of the shop's, as a form has it, which lies in the middle; empty: up to now. */
  at: string
}

/** Without a choice: the first merchant, in the mode that is used, in the last hour. */
async function askedOf(query: URLSearchParams, { db, merchants, now }: TimelinePagesParts): Promise<Asked> {
  const { merchant: chosen, mode } = chosenMerchant(query, merchants)
  const merchant = chosen ?? merchants.all[0]?.merchant ?? ''
  const at = query.get('at') ?? ''
  return {
    merchant,
    mode: mode ?? (await usedMode(db, merchant, now())),
    range: rangeOf(query.get('range')),
    at: momentIn(at, merchants.zone(merchant)) === null ? '' : at,
  }
}

/** No longer are minutes kept. */
const MINUTES_MS = 2 * 86_400_000

async function read({ merchant, mode, range, at }: Asked, { db, merchants, now: clock }: TimelinePagesParts) {
  const now = clock()
  const { ms, step: usual } = ranges[range]
  const middle = momentIn(at, merchants.zone(merchant))
  const toMs = middle === null ? now : middle + ms / 2
  const span = { fromMs: toMs - ms, toMs }
  const step = span.fromMs < now - MINUTES_MS ? 'hour' : usual
  return { span, timeline: await timelineOf(db, { tenant: merchant, mode, step, now, ...span }) }
}

/** How degraded and how slow a merchant's answers were over time, a chart for each section and system. */
export function timelinePage(parts: TimelinePagesParts): ConsolePage {
  const { merchants } = parts
  return {
    ...{ method: 'GET', path: '/timeline', role: 'support' },
    async answer({ query }): Promise<Shown> {
      const missing = notThere('/timeline', query, merchants)
      if (missing) return missing
      const asked = await askedOf(query, parts)
      const { timeline } = await read(asked, parts)
      const to = (of: Partial<Asked>) => `/timeline?${queryOf({ ...asked, ...of })}`
      return {
        template: 'timeline',
        title: 'Timeline',
        view: {
          ...{ asked, shop: merchants.name(asked.merchant), choice: { merchants: merchants.all, modes } },
          ranges: Object.entries(ranges).map(([range, { name }]) => ({
            range,
            name,
            href: to({ range: range as Range }),
          })),
          ...{ zone: merchants.zone(asked.merchant), latest: asked.at && to({ at: '' }) },
          series: `/timeline/series?${queryOf(asked)}`,
          charts: chartsShown(timeline, asked.merchant, merchants),
        },
      }
    },
  }
}

const queryOf = ({ at, ...asked }: Asked) => new URLSearchParams({ ...asked, ...(at && { at }) })

/** The same in numbers, for the page's script. */
export function timelineSeries(parts: TimelinePagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/timeline/series', role: 'support' },
    async answer({ query }): Promise<Told> {
      if (notThere('/timeline', query, parts.merchants)) return { json: {}, status: 404 }
      const asked = await askedOf(query, parts)
      const { span, timeline } = await read(asked, parts)
      return { json: chartsOf(timeline, { ...span, timeZone: parts.merchants.zone(asked.merchant) }) }
    },
  }
}
