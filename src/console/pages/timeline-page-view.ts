import type { Timeline, TimelineSeries } from '../../diagnostics/timeline.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { type DisplayTime, formatCount, formatElapsedMs, formatNumber, formatPercent } from '../text/format-times.ts'
import { describeSection } from '../text/section-text.ts'
import { toChartKey } from './timeline-charts.ts'

export interface ChartRowView {
  from: DisplayTime
  total: string
  degraded: string
  share: string
  stale: string
  p99: string
}

export interface ChartView {
  key: string
  title: string
  /** All of it in a sentence: what the picture is for those who do not see it. */
  summary: string
  /** What its rows count. */
  counted: 'answers' | 'calls'
  rows: ChartRowView[]
}

const MOST_ROWS = 24

/** All answers first, then the systems, those that failed most before the others. */
export function toChartViews({ times, series }: Timeline, merchant: string, merchants: MerchantDirectory): ChartView[] {
  return worstFirst(series).map((one) => {
    const counted = one.kind === 'calls' ? 'calls' : 'answers'
    const time = (at: number) => merchants.moment(at, merchant)
    return {
      key: toChartKey(one),
      title: titleOf(one, series),
      summary: summaryOf(one, times, time),
      counted,
      rows: rowsOf(one, times, time),
    }
  })
}

function worstFirst(series: readonly TimelineSeries[]): TimelineSeries[] {
  const worst = new Map<string, number>()
  for (const { system, degraded } of series) worst.set(system, Math.max(worst.get(system) ?? 0, sum(degraded)))
  const rank = (of: TimelineSeries) => {
    if (of.kind === 'answers') return Number.POSITIVE_INFINITY
    return withSystem(of, series).length > 0 ? -1 : worst.get(of.system)!
  }
  // What is of no system is never worse than what its systems tell.
  return series.toSorted((a, b) => rank(b) - rank(a) || Number(a.system === '') - Number(b.system === ''))
}

/** Of answers that no system had to be asked for: the same section where one was. They are not the whole of it. */
const withSystem = ({ kind, system, section }: TimelineSeries, all: readonly TimelineSeries[]) =>
  kind === 'section' && system === '' ? all.filter((other) => other.section === section && other.system !== '') : []

function titleOf(one: TimelineSeries, all: readonly TimelineSeries[]): string {
  const { kind, system, section } = one
  if (kind === 'answers') return 'All answers'
  if (kind === 'calls') return `Calls to ${system}`
  const asked = new Set(withSystem(one, all).map((other) => describeSection(other.system, section).name))
  if (asked.size > 0) return `${[...asked].join(', ')}, without asking a system`
  return system ? `${describeSection(system, section).name} (${system})` : describeSection(system, section).name
}

const sum = (of: readonly number[]) => of.reduce((total, one) => total + one, 0)

function summaryOf(one: TimelineSeries, times: readonly number[], time: (at: number) => DisplayTime): string {
  const [total, degraded] = [sum(one.totals), sum(one.degraded)]
  const [what, how] = one.kind === 'calls' ? ['call', 'failed'] : ['answer', 'degraded']
  if (total === 0) return `No ${what}s in this time.`
  if (degraded === 0) return `${formatCount(total, what)}, none ${how}.`
  const worst = one.degradedShare.reduce<number>(
    (at, share, here) => ((share ?? 0) > (one.degradedShare[at] ?? 0) ? here : at),
    0,
  )
  const stale = one.kind === 'calls' ? 0 : sum(one.stale)
  const old = stale > 0 ? `, ${formatNumber(stale)} of them with older values instead` : ''
  const share = `${capital(how)}: ${formatNumber(degraded)} of ${formatCount(total, what)} (${formatPercent(degraded / total)})${old}.`
  return `${share} Worst at ${time(times[worst]!).text}: ${formatPercent(one.degradedShare[worst] ?? 0)}.`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Steps in which somebody asked, several to a row while there are many. */
function rowsOf(one: TimelineSeries, times: readonly number[], time: (at: number) => DisplayTime): ChartRowView[] {
  const size = Math.max(1, Math.ceil(times.length / MOST_ROWS))
  const rows: ChartRowView[] = []
  for (let at = 0; at < times.length; at += size) {
    const total = sum(one.totals.slice(at, at + size))
    if (total === 0) continue
    const degraded = sum(one.degraded.slice(at, at + size))
    const slowest = Math.max(...one.p99Ms.slice(at, at + size).map((ms) => ms ?? -1))
    rows.push({
      ...{
        from: time(times[at]!),
        total: formatNumber(total),
        degraded: formatNumber(degraded),
        share: formatPercent(degraded / total),
      },
      ...{
        stale: formatNumber(sum(one.stale.slice(at, at + size))),
        p99: slowest < 0 ? '–' : formatElapsedMs(slowest),
      },
    })
  }
  return rows
}
