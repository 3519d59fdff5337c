import type { CircuitPeriod, Timeline, TimelineSeries } from '../../diagnostics/timeline.ts'

/** What the page's script draws, by the name of its place. Seconds, percents and milliseconds. */
export interface TimelineCharts {
  from: number
  to: number
  timeZone: string
  charts: Record<string, TimelineChart>
}

export interface TimelineChart {
  share: 'degraded' | 'failed'
  times: number[]
  degraded: (number | null)[]
  p50: (number | null)[]
  p99: (number | null)[]
  bands: { from: number; to: number; state: CircuitPeriod['state'] }[]
}

/** Names the place of a chart in the page. */
export const toChartKey = ({ kind, system, section }: TimelineSeries) =>
  [kind, system, section].filter(Boolean).join(' ')

export function toTimelineCharts(
  { times, series, circuitPeriods: bands }: Timeline,
  { fromMs, toMs, timeZone }: { fromMs: number; toMs: number; timeZone: string },
): TimelineCharts {
  const seconds = (ms: number) => ms / 1_000
  const charts = series.map((one): [string, TimelineChart] => [
    toChartKey(one),
    {
      share: one.kind === 'calls' ? 'failed' : 'degraded',
      times: times.map(seconds),
      degraded: one.degradedShare.map((share) => share && share * 100),
      ...{ p50: one.p50Ms, p99: one.p99Ms },
      bands: bands
        .filter(({ system }) => system === one.system)
        .map((band) => ({ from: seconds(band.fromMs), to: seconds(band.toMs), state: band.state })),
    },
  ])
  return { from: seconds(fromMs), to: seconds(toMs), timeZone, charts: Object.fromEntries(charts) }
}
