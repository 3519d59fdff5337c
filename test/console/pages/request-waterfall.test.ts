import { expect } from 'chai'
import { describeCall, toCallWaterfallSpan, toRequestWaterfall } from '../../../src/console/pages/request-waterfall.ts'
import type { CallTrace } from '../../../src/upstream/call-trace.ts'

const call = (of: Partial<CallTrace>): CallTrace => ({
  ...{ system: 'pricing', operation: 'price', at: 1_000, queuedMs: 0, ms: 100, attempts: 1 },
  ...{ outcome: 'ok', cause: null, ...of },
})

describe('the bars of a request', () => {
  const bars = (calls: readonly CallTrace[], of: { ms: number; deadlineMs: number | null }) =>
    toRequestWaterfall(
      calls.map((one) => toCallWaterfallSpan(one, 1_000, of.ms)),
      of,
    )

  it('are drawn against the deadline', () => {
    const drawn = bars(
      [call({ at: 1_100, ms: 400, queuedMs: 100 }), call({ at: 1_000, ms: 700, outcome: 'timeout' })],
      {
        ms: 720,
        deadlineMs: 1_000,
      },
    )
    expect(drawn).to.deep.equal({
      wholeMs: 1_000,
      deadline: 1_000,
      bars: [
        { from: 100, queued: 100, asked: 300, tone: 'ok' },
        { from: 0, queued: 0, asked: 700, tone: 'bad' },
      ],
    })
  })

  it('are drawn against the answer when it came later, or when there was no deadline', () => {
    const [late, none] = [
      { ms: 2_000, deadlineMs: 1_000 },
      { ms: 2_000, deadlineMs: null },
    ]
    const of = [call({ ms: 1_500 })]
    expect(bars(of, late)).to.deep.include({ wholeMs: 2_000, deadline: 500 })
    expect(bars(of, none)).to.deep.include({ wholeMs: 2_000, deadline: null })
    expect(bars(of, late).bars[0]).to.deep.include({ asked: 750, tone: 'late' })
  })

  it('begin with the request when the call was begun for another before, and end with it when the call goes on', () => {
    const shared = bars([call({ at: 800, ms: 500, queuedMs: 250 })], { ms: 400, deadlineMs: 1_000 })
    expect(shared.bars).to.deep.equal([{ from: 0, queued: 50, asked: 250, tone: 'ok' }])
    const pending = bars([call({ at: 1_100, ms: null, outcome: 'pending' })], { ms: 400, deadlineMs: 1_000 })
    expect(pending.bars).to.deep.equal([{ from: 100, queued: 0, asked: 300, tone: 'ok' }])
  })

  it('end with the answer when the call was in line for longer', () => {
    const left = bars([call({ ms: 43, queuedMs: 43, attempts: 0, outcome: 'circuit_open' })], {
      ms: 18,
      deadlineMs: 1_000,
    })
    expect(left.bars).to.deep.equal([{ from: 0, queued: 18, asked: 8, tone: 'bad' }])
  })

  it('can be seen however short they are', () => {
    expect(bars([call({ ms: 0 })], { ms: 1, deadlineMs: 1_000 }).bars[0]!.asked).to.be.above(0)
  })

  it('are told in words', () => {
    expect([
      describeCall(call({ outcome: 'pending', ms: null }), 0),
      describeCall(call({ outcome: 'unavailable', attempts: 2, cause: 'ECONNREFUSED' }), 30),
      describeCall(call({}), 0),
    ]).to.deep.equal([['under way when the answer was given'], ['ECONNREFUSED', 'sent 2 times', '30 ms in line'], []])
  })
})
