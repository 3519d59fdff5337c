import type { Timeline, TimelineSeries } from '../../../diagnostics/reports/timeline.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import { formatCount, formatNumber, formatPercent } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { describeSection } from '../../text/section-text.ts'
import { toChartKey } from './timeline-chart-data.ts'

export interface ChartRowView {
  from: DisplayTime
  total: string
  degraded: string
  share: string
  stale: string
  p99: string
  /** The longest time; `–` if it is not known. */
  longest: string
}

export interface ChartView {
  key: string
  isFirst: boolean
  /** True for a chart without degraded responses or failed calls that is not among the first. */
  isCollapsed: boolean
  title: string
  /** The chart in a sentence, also for screen readers. */
  summary: string
  /** The unit of its rows. */
  unit: 'responses' | 'calls'
  rows: ChartRowView[]
}

type TimeFormatter = (at: number) => DisplayTime

/** The durations of a row of the tables: the shortest with which a table has at most MAX_ROWS rows is used. */
const ROW_MS = [1, 5, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * 60_000)
const MAX_ROWS = 24

/** A section whose charts come first: that of the incident from which somebody came. */
export interface FirstSection {
  system: string
  section: string
}

/** The section itself, then the calls to its system. */
function rankAsFirst({ kind, system, section }: TimelineSeries, first: FirstSection): number {
  if (system !== first.system) return 0
  if (kind === 'section' && section === first.section) return 2
  return kind === 'calls' ? 1 : 0
}

const putFirst = (series: TimelineSeries[], first: FirstSection | null) =>
  first === null ? series : series.toSorted((a, b) => rankAsFirst(b, first) - rankAsFirst(a, first))

/** Returns the chart of all responses first, then the charts of the systems, the most degraded first; before all these, those of `first`. */
export function toChartViews(
  { times, series }: Timeline,
  merchant: string,
  merchants: MerchantDirectory,
  first: FirstSection | null = null,
): ChartView[] {
  const toTime: TimeFormatter = (at) => merchants.time(at, merchant)
  const rowStarts = findRowStarts(times, merchants.timeZone(merchant))
  return putFirst(sortWorstFirst(series), first).map((entry) => ({
    key: toChartKey(entry),
    isFirst: first !== null && rankAsFirst(entry, first) === 2,
    isCollapsed:
      entry.kind !== 'answers' && sum(entry.degraded) === 0 && (first === null || rankAsFirst(entry, first) === 0),
    title: toTitle(entry, series),
    summary: toSummary(entry, times, toTime),
    unit: entry.kind === 'calls' ? 'calls' : 'responses',
    rows: toRows(entry, rowStarts, (index) => toTime(times[index]!)),
  }))
}

function sortWorstFirst(series: readonly TimelineSeries[]): TimelineSeries[] {
  const maxDegradedBySystem = new Map<string, number>()
  for (const { system, degraded } of series)
    maxDegradedBySystem.set(system, Math.max(maxDegradedBySystem.get(system) ?? 0, sum(degraded)))
  const toRank = (entry: TimelineSeries) => {
    if (entry.kind === 'answers') return Number.POSITIVE_INFINITY
    return findSeriesWithSystem(entry, series).length > 0 ? -1 : maxDegradedBySystem.get(entry.system)!
  }
  // On a tie, series without a system come last.
  return series.toSorted((a, b) => toRank(b) - toRank(a) || Number(a.system === '') - Number(b.system === ''))
}

/** For a section that was filled without a call, finds the series of the same section with calls. */
const findSeriesWithSystem = ({ kind, system, section }: TimelineSeries, series: readonly TimelineSeries[]) =>
  kind === 'section' && system === ''
    ? series.filter((candidate) => candidate.section === section && candidate.system !== '')
    : []

function toTitle(entry: TimelineSeries, series: readonly TimelineSeries[]): string {
  const { kind, system, section } = entry
  if (kind === 'answers') return 'All responses'
  if (kind === 'calls') return `Calls to ${nameSystem(system)}`
  const seriesWithSystem = findSeriesWithSystem(entry, series)
  const names = new Set(seriesWithSystem.map((candidate) => describeSection(candidate.system, section).name))
  if (names.size > 0) return `${[...names].join(', ')}, without a call`
  const { name } = describeSection(system, section)
  return system ? `${name} (${nameSystem(system)})` : name
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function toSummary(entry: TimelineSeries, times: readonly number[], toTime: TimeFormatter): string {
  const [total, degraded] = [sum(entry.totals), sum(entry.degraded)]
  const [noun, adjective] = entry.kind === 'calls' ? ['call', 'failed'] : ['response', 'degraded']
  if (total === 0) return `No ${noun}s in this period.`
  if (degraded === 0) return `${formatCount(total, noun)}, none ${adjective}.`
  const stale = entry.kind === 'calls' ? 0 : sum(entry.stale)
  const staleText = stale > 0 ? `, ${formatNumber(stale)} of them with older values` : ''
  const share = `${formatNumber(degraded)} of ${formatCount(total, noun)} (${formatPercent(degraded / total)})${staleText}`
  const worst = findWorstStep(entry)
  const worstText = `Worst at ${toTime(times[worst]!).text}: ${formatPercent(entry.degradedShare[worst] ?? 0)}.`
  return `${adjective.charAt(0).toUpperCase()}${adjective.slice(1)}: ${share}. ${worstText}`
}

const findWorstStep = ({ degradedShare }: TimelineSeries): number =>
  degradedShare.reduce<number>((worst, share, index) => ((share ?? 0) > (degradedShare[worst] ?? 0) ? index : worst), 0)

/** Returns the indexes of the steps at which rows begin. Rows begin at fixed local times, so that they can be compared between visits. */
function findRowStarts(times: readonly number[], timeZone: string): number[] {
  const periodMs = times.length === 0 ? 0 : times.at(-1)! - times[0]!
  const rowMs = ROW_MS.find((ms) => periodMs / ms < MAX_ROWS) ?? ROW_MS.at(-1)!
  const rowOf = (at: number) => Math.floor((at + readOffsetMs(at, timeZone)) / rowMs)
  return times.flatMap((at, index) => (index === 0 || rowOf(at) !== rowOf(times[index - 1]!) ? [index] : []))
}

const readOffsetMs = (at: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6

/** Returns the rows that have requests. */
function toRows(
  entry: TimelineSeries,
  rowStarts: readonly number[],
  toTime: (index: number) => DisplayTime,
): ChartRowView[] {
  return rowStarts.flatMap((start, row) => {
    const end = rowStarts[row + 1]
    const sumOf = (values: readonly number[]) => sum(values.slice(start, end))
    const total = sumOf(entry.totals)
    if (total === 0) return []
    const degraded = sumOf(entry.degraded)
    return [
      {
        from: toTime(start),
        total: formatNumber(total),
        degraded: formatNumber(degraded),
        share: formatPercent(degraded / total),
        stale: formatNumber(sumOf(entry.stale)),
        p99: formatLargest(entry.p99Ms.slice(start, end)),
        longest: formatLargest(entry.longestMs.slice(start, end)),
      },
    ]
  })
}

function formatLargest(values: readonly (number | null)[]): string {
  const largest = Math.max(...values.map((ms) => ms ?? -1))
  return largest < 0 ? '–' : formatElapsedMs(largest)
}
