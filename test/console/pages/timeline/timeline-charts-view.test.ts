import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { toTimelineChartData } from '../../../../src/console/pages/timeline/timeline-chart-data.ts'
import { toChartViews } from '../../../../src/console/pages/timeline/timeline-charts-view.ts'
import type { Timeline, TimelineSeries } from '../../../../src/diagnostics/reports/timeline.ts'

const START = Date.parse('2026-11-21T19:00:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => START + 3_600_000,
)

/** Creates the timeline of an hour with the total and degraded responses of some minutes. */
function createTimeline(
  counts: Record<number, [total: number, degraded: number]>,
  changes: Partial<TimelineSeries> = {},
): Timeline {
  const times = Array.from({ length: 60 }, (_, minute) => START + minute * 60_000)
  const each = <T>(value: (at: number) => T) => times.map((_, minute) => value(minute))
  const [total, degraded] = [(at: number) => counts[at]?.[0] ?? 0, (at: number) => counts[at]?.[1] ?? 0]
  const series: TimelineSeries = {
    kind: 'section',
    system: 'pricing',
    section: 'price',
    totals: each(total),
    degraded: each(degraded),
    stale: each(() => 0),
    degradedShare: each((at) => (total(at) === 0 ? null : degraded(at) / total(at))),
    p50Ms: each((at) => (total(at) === 0 ? null : 10)),
    p99Ms: each((at) => (total(at) === 0 ? null : 100 + at)),
    longestMs: each((at) => (total(at) === 0 ? null : 120 + at)),
    ...changes,
  }
  const band = { system: 'pricing', process: 'p1', state: 'open', fromMs: START, toMs: START + 60_000 } as const
  return {
    stepMs: 60_000,
    times,
    series: [series],
    circuitPeriods: [band, { ...band, system: 'inventory' }],
    starts: [],
  }
}

describe('the timeline page', () => {
  const toFirstView = (timeline: Timeline) => toChartViews(timeline, 'acme', merchants)[0]!

  it('summarizes the degraded share of each chart, and its worst moment', () => {
    const { title, summary } = toFirstView(createTimeline({ 3: [100, 0], 4: [100, 25], 5: [100, 50] }))
    expect(title).to.equal('Prices (pricing)')
    expect(summary).to.equal('Degraded: 75 of 300 responses (25.0\u00a0%). Worst at 14:05:00 GMT-5: 50.0\u00a0%.')
  })

  it('summarizes failed calls, and charts without requests', () => {
    const calls = { kind: 'calls', section: '' } as const
    expect(
      [
        toFirstView(createTimeline({ 4: [10, 10] }, calls)),
        toFirstView(createTimeline({ 4: [10, 0] }, calls)),
        toFirstView(createTimeline({})),
      ].map(({ summary }) => summary),
    ).to.deep.equal([
      'Failed: 10 of 10 calls (100\u00a0%). Worst at 14:04:00 GMT-5: 100\u00a0%.',
      '10 calls, none failed.',
      'No responses in this period.',
    ])
  })

  it('has a table with several steps per row, without steps that had no requests', () => {
    const { rows } = toFirstView(createTimeline({ 3: [100, 0], 4: [100, 25], 59: [10, 10] }))
    expect(rows.map(({ from, ...rest }) => ({ from: from.text, ...rest }))).to.deep.equal([
      {
        ...{ from: '14:00:00 GMT-5', total: '200', degraded: '25', share: '12.5\u00a0%', stale: '0' },
        ...{ p99: '104 ms', longest: '124 ms' },
      },
      {
        ...{ from: '14:55:00 GMT-5', total: '10', degraded: '10', share: '100\u00a0%', stale: '0' },
        ...{ p99: '159 ms', longest: '179 ms' },
      },
    ])
  })

  it('has rows that begin at the same minutes, whenever the page is opened', () => {
    const timeline = createTimeline({ 0: [1, 0], 3: [100, 0], 4: [100, 25], 59: [10, 10] })
    const later = { ...timeline, times: timeline.times.map((at) => at + 2 * 60_000) }
    expect(toFirstView(later).rows.map(({ from, total }) => [from.text, total])).to.deep.equal([
      ['14:02:00 GMT-5', '1'],
      ['14:05:00 GMT-5', '200'],
      ['15:00:00 GMT-5', '10'],
    ])
  })

  it('has days that begin at midnight of the merchant', () => {
    const timeline = createTimeline({ 0: [1, 0], 9: [2, 0], 10: [3, 0], 59: [4, 0] })
    const days = { ...timeline, times: timeline.times.map((_, index) => START + index * 12 * 3_600_000) }
    expect(toFirstView(days).rows.map(({ from }) => from.text.slice(0, 18))).to.deep.equal([
      '14:00:00 GMT-5',
      '26 Nov 2026, 02:00',
      '21 Dec 2026, 02:00',
    ])
  })

  it('puts charts without degraded responses behind the others, unless they belong to the incident', () => {
    const of = (changes: Partial<TimelineSeries>, degraded = 0) =>
      createTimeline({ 1: [10, degraded] }, changes).series[0]!
    const series = [
      of({ kind: 'answers', system: '', section: '' }),
      of({ system: 'inventory', section: 'availability' }),
      of({ kind: 'calls', system: 'pricing', section: '' }),
      of({ system: 'pricing', section: 'price' }, 5),
    ]
    const toQuiet = (first: { system: string; section: string } | null) =>
      toChartViews({ ...createTimeline({}), series }, 'acme', merchants, first).flatMap(({ title, isCollapsed }) =>
        isCollapsed ? [title] : [],
      )
    expect(toQuiet(null)).to.deep.equal(['Calls to pricing', 'Availability (inventory)'])
    expect(toQuiet({ system: 'pricing', section: 'price' })).to.deep.equal(['Availability (inventory)'])
  })

  it('lists a section that was filled without a call after the same section with calls', () => {
    const createSeries = (counts: Parameters<typeof createTimeline>[0], changes: Partial<TimelineSeries>) =>
      createTimeline(counts, changes).series[0]!
    const [credit, media] = [
      { system: '', section: 'credit' },
      { system: '', section: 'media' },
    ]
    const series = [
      createSeries({ 1: [52, 0] }, credit),
      createSeries({ 1: [9, 9] }, media),
      createSeries({ 1: [30, 3] }, { ...credit, system: 'accounting' }),
      createSeries({ 1: [90, 12] }, { kind: 'answers', system: '', section: '' }),
    ]
    const all = toChartViews({ ...createTimeline({}), series }, 'acme', merchants)
    expect(all.map(({ title }) => title)).to.deep.equal([
      'All responses',
      'Pictures',
      'Credit limits (accounting)',
      'Credit limits, without a call',
    ])
  })

  it('begins with the section of the incident from which somebody came, and the calls to its system', () => {
    const of = (changes: Partial<TimelineSeries>) => createTimeline({ 1: [10, 5] }, changes).series[0]!
    const series = [
      of({ kind: 'answers', system: '', section: '' }),
      of({ system: 'inventory', section: 'availability' }),
      of({ kind: 'calls', system: 'pricing', section: '' }),
      of({ system: 'pricing', section: 'price' }),
    ]
    const first = { system: 'pricing', section: 'price' }
    const charts = toChartViews({ ...createTimeline({}), series }, 'acme', merchants, first)
    expect(charts.map(({ title, isFirst }) => [title, isFirst])).to.deep.equal([
      ['Prices (pricing)', true],
      ['Calls to pricing', false],
      ['All responses', false],
      ['Availability (inventory)', false],
    ])
  })

  it('gives the script seconds, percents and the circuit bands of the system', () => {
    const { charts, from } = toTimelineChartData(createTimeline({ 0: [4, 1] }), {
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
