import type { Mode } from '../config.ts'
import { timelineOf } from '../diagnostics/timeline.ts'
import type { Database } from '../storage/database.ts'
import { chosenMerchant, type Merchants, modes } from './merchants.ts'
import type { ConsolePage, Shown, Told } from './page.ts'
import { chartsOf } from './timeline-charts.ts'
import { type Range, rangeOf, ranges } from './timeline-ranges.ts'
import { chartsShown } from './timeline-words.ts'

export interface TimelinePagesParts {
  db: Database
  merchants: Merchants
  now: () => number
}

interface Asked {
  merchant: string
  mode: Mode
  range: Range
}

/** Without a choice: the first merchant, live, in the last hour. */
function askedOf(query: URLSearchParams, merchants: Merchants): Asked {
  const { merchant, mode } = chosenMerchant(query, merchants)
  return {
    merchant: merchant ?? merchants.all[0]?.merchant ?? '',
    mode: mode ?? 'live',
    range: rangeOf(query.get('range')),
  }
}

async function read({ merchant, mode, range }: Asked, { db, now }: TimelinePagesParts) {
  const toMs = now()
  const span = { fromMs: toMs - ranges[range].ms, toMs }
  const { step } = ranges[range]
  return { span, timeline: await timelineOf(db, { tenant: merchant, mode, step, now: toMs, ...span }) }
}

/** How degraded and how slow a merchant's answers were over time, a chart for each section and system. */
export function timelinePage(parts: TimelinePagesParts): ConsolePage {
  const { merchants } = parts
  return {
    ...{ method: 'GET', path: '/timeline', role: 'support' },
    async answer({ query }): Promise<Shown> {
      const asked = askedOf(query, merchants)
      const { timeline } = await read(asked, parts)
      const to = (range: string) => `/timeline?${new URLSearchParams({ ...asked, range })}`
      return {
        template: 'timeline',
        title: 'Timeline',
        view: {
          ...{ asked, shop: merchants.name(asked.merchant), choice: { merchants: merchants.all, modes } },
          ranges: Object.entries(ranges).map(([range, { name }]) => ({ range, name, href: to(range) })),
          series: `/timeline/series?${new URLSearchParams({ ...asked })}`,
          charts: chartsShown(timeline, asked.merchant, merchants),
        },
      }
    },
  }
}

/** The same in numbers, for the page's script. */
export function timelineSeries(parts: TimelinePagesParts): ConsolePage {
  return {
    ...{ method: 'GET', path: '/timeline/series', role: 'support' },
    async answer({ query }): Promise<Told> {
      const asked = askedOf(query, parts.merchants)
      const { span, timeline } = await read(asked, parts)
      return { json: chartsOf(timeline, { ...span, timeZone: parts.merchants.zone(asked.merchant) }) }
    },
  }
}
