import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { toTimelineCharts } from '../../../src/console/pages/timeline-charts.ts'
import { toChartViews } from '../../../src/console/pages/timeline-page-view.ts'
import type { Timeline, TimelineSeries } from '../../../src/diagnostics/timeline.ts'

const START = Date.parse('2026-11-21T19:00:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica' }],
  () => START + 3_600_000,
)

/** Of the minutes of an hour: answers, and how many of them were degraded, by minute. */
function timeline(
  counts: Record<number, [total: number, degraded: number]>,
  of: Partial<TimelineSeries> = {},
): Timeline {
  const times = Array.from({ length: 60 }, (_, minute) => START + minute * 60_000)
  const each = <T>(value: (at: number) => T) => times.map((_, minute) => value(minute))
  const [total, degraded] = [(at: number) => counts[at]?.[0] ?? 0, (at: number) => counts[at]?.[1] ?? 0]
  const series: TimelineSeries = {
    ...{ kind: 'section', system: 'pricing', section: 'price', totals: each(total), degraded: each(degraded) },
    stale: each(() => 0),
    degradedShare: each((at) => (total(at) === 0 ? null : degraded(at) / total(at))),
    p50Ms: each((at) => (total(at) === 0 ? null : 10)),
    p99Ms: each((at) => (total(at) === 0 ? null : 100 + at)),
    ...of,
  }
  const band = { system: 'pricing', process: 'p1', state: 'open', fromMs: START, toMs: START + 60_000 } as const
  return { stepMs: 60_000, times, series: [series], circuitPeriods: [band, { ...band, system: 'inventory' }] }
}

describe('what the timeline shows', () => {
  const shown = (of: Timeline) => toChartViews(of, 'acme', merchants)[0]!

  it('says of each chart how much was degraded, and when it was worst', () => {
    const { title, summary } = shown(timeline({ 3: [100, 0], 4: [100, 25], 5: [100, 50] }))
    expect(title).to.equal('Prices (pricing)')
    expect(summary).to.equal('Degraded: 75 of 300 answers (25.0\u00a0%). Worst at 14:05:00 GMT-5: 50.0\u00a0%.')
  })

  it('says of calls that they failed, and of nothing that there was nothing', () => {
    const calls = { kind: 'calls', section: '' } as const
    expect(
      [shown(timeline({ 4: [10, 10] }, calls)), shown(timeline({ 4: [10, 0] }, calls)), shown(timeline({}))].map(
        ({ summary }) => summary,
      ),
    ).to.deep.equal([
      'Failed: 10 of 10 calls (100\u00a0%). Worst at 14:04:00 GMT-5: 100\u00a0%.',
      '10 calls, none failed.',
      'No answers in this time.',
    ])
  })

  it('has the same as a table, several steps to a row, without those in which nobody asked', () => {
    const { rows } = shown(timeline({ 3: [100, 0], 4: [100, 25], 59: [10, 10] }))
    expect(rows.map(({ from, ...rest }) => ({ from: from.text, ...rest }))).to.deep.equal([
      { from: '14:03:00 GMT-5', total: '200', degraded: '25', share: '12.5\u00a0%', stale: '0', p99: '104 ms' },
      { from: '14:57:00 GMT-5', total: '10', degraded: '10', share: '100\u00a0%', stale: '0', p99: '159 ms' },
    ])
  })

  it('has what was answered without a system after what was asked of one, and says that it is that', () => {
    const one = (counts: Parameters<typeof timeline>[0], of: Partial<TimelineSeries>) => timeline(counts, of).series[0]!
    const [credit, media] = [
      { system: '', section: 'credit' },
      { system: '', section: 'media' },
    ]
    const series = [
      one({ 1: [52, 0] }, credit),
      one({ 1: [9, 9] }, media),
      one({ 1: [30, 3] }, { ...credit, system: 'accounting' }),
      one({ 1: [90, 12] }, { kind: 'answers', system: '', section: '' }),
    ]
    const all = toChartViews({ ...timeline({}), series }, 'acme', merchants)
    expect(all.map(({ title }) => title)).to.deep.equal([
      'All answers',
      'Pictures',
      'Credit (accounting)',
      'Credit, without asking a system',
    ])
  })

  it('gives the script seconds, percents and the bands of the system', () => {
    const { charts, from } = toTimelineCharts(timeline({ 0: [4, 1] }), {
      fromMs: START,
      toMs: START + 3_600_000,
      timeZone: 'UTC',
    })
    const chart = charts['section pricing price']!
    expect(from).to.equal(START / 1_000)
    expect(chart.degraded.slice(0, 2)).to.deep.equal([25, null])
    expect(chart.bands).to.deep.equal([{ from: START / 1_000, to: START / 1_000 + 60, state: 'open' }])
  })
})
