import { expect } from 'chai'
import { toCallWaterfallSpan, toRequestWaterfall } from '../../../../src/console/pages/requests/request-waterfall.ts'
import type { CallTrace } from '../../../../src/upstream/request/call-trace.ts'
import { callTrace } from '../../../diagnostics/diagnostics-setup.ts'

const createCall = (changes: Partial<CallTrace>) => callTrace({ at: 1_000, ms: 100, ...changes })

describe('the waterfall of a request', () => {
  const draw = (calls: readonly CallTrace[], request: { ms: number; deadlineMs: number | null }) =>
    toRequestWaterfall(
      calls.map((call) => toCallWaterfallSpan(call, 1_000, request.ms)),
      request,
    )

  it('ends at the deadline', () => {
    const drawn = draw(
      [createCall({ at: 1_100, ms: 400, queuedMs: 100 }), createCall({ at: 1_000, ms: 700, outcome: 'timeout' })],
      {
        ms: 720,
        deadlineMs: 1_000,
      },
    )
    expect(drawn).to.deep.equal({
      scaleMs: 1_000,
      deadline: 1_000,
      bars: [
        { start: 100, queued: 100, active: 300, tone: 'ok' },
        { start: 0, queued: 0, active: 700, tone: 'bad' },
      ],
    })
  })

  it('ends at the response if that is later than the deadline, or if there is no deadline', () => {
    const [late, none] = [
      { ms: 2_000, deadlineMs: 1_000 },
      { ms: 2_000, deadlineMs: null },
    ]
    const calls = [createCall({ ms: 1_500 })]
    expect(draw(calls, late)).to.deep.include({ scaleMs: 2_000, deadline: 500 })
    expect(draw(calls, none)).to.deep.include({ scaleMs: 2_000, deadline: null })
    expect(draw(calls, late).bars[0]).to.deep.include({ active: 750, tone: 'late' })
  })

  it('clips a call that started before the request or continued after it', () => {
    const shared = draw([createCall({ at: 800, ms: 500, queuedMs: 250 })], { ms: 400, deadlineMs: 1_000 })
    expect(shared.bars).to.deep.equal([{ start: 0, queued: 50, active: 250, tone: 'ok' }])
    const pending = draw([createCall({ at: 1_100, ms: null, outcome: 'pending' })], { ms: 400, deadlineMs: 1_000 })
    expect(pending.bars).to.deep.equal([{ start: 100, queued: 0, active: 300, tone: 'ok' }])
  })

  it('clips the queue time at the response', () => {
    const left = draw([createCall({ ms: 43, queuedMs: 43, attempts: 0, outcome: 'circuit_open' })], {
      ms: 18,
      deadlineMs: 1_000,
    })
    expect(left.bars).to.deep.equal([{ start: 0, queued: 18, active: 8, tone: 'bad' }])
  })

  it('shows even the shortest call', () => {
    expect(draw([createCall({ ms: 0 })], { ms: 1, deadlineMs: 1_000 }).bars[0]!.active).to.be.above(0)
  })
})
