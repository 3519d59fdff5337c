import type { CircuitPeriod } from '../../../diagnostics/reports/circuit-periods.ts'
import type { Timeline, TimelineSeries } from '../../../diagnostics/reports/timeline.ts'

/** The data of the charts, by chart key. Times are in seconds, shares in percent, latencies in milliseconds. */
export interface TimelineChartData {
  from: number
  to: number
  timeZone: string
  /** When the server started, for vertical lines. */
  starts: number[]
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

/** Returns the key that links a chart's data with its element in the page. */
export const toChartKey = ({ kind, system, section }: TimelineSeries) =>
  [kind, system, section].filter(Boolean).join(' ')

export function toTimelineChartData(
  { times, series, circuitPeriods, starts }: Timeline,
  { fromMs, toMs, timeZone }: { fromMs: number; toMs: number; timeZone: string },
): TimelineChartData {
  const toSeconds = (ms: number) => ms / 1_000
  const toChart = (entry: TimelineSeries): TimelineChart => ({
    share: entry.kind === 'calls' ? 'failed' : 'degraded',
    times: times.map(toSeconds),
    degraded: entry.degradedShare.map((share) => share && share * 100),
    p50: entry.p50Ms,
    p99: entry.p99Ms,
    bands: circuitPeriods
      .filter(({ system }) => system === entry.system)
      .map((period) => ({ from: toSeconds(period.fromMs), to: toSeconds(period.toMs), state: period.state })),
  })
  const charts = Object.fromEntries(series.map((entry) => [toChartKey(entry), toChart(entry)]))
  return {
    from: toSeconds(fromMs),
    to: toSeconds(toMs),
    timeZone,
    starts: starts.map(({ atMs }) => toSeconds(atMs)),
    charts,
  }
}
