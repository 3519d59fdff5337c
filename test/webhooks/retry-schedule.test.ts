import { expect } from 'chai'
import fc from 'fast-check'
import { computeRetryDelayMs, RETRY_DELAYS_MS } from '../../src/webhooks/retry-schedule.ts'

const middle = (attempt: number) => computeRetryDelayMs(attempt, null, 0.5)

describe('the retry schedule', () => {
  it('has nine attempts in about 52 hours', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map(middle)
    expect(delays.map((ms) => ms! / 1_000)).to.deep.equal([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000])
    expect(middle(9)).to.equal(null)
    expect(RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) / 3_600_000).to.be.closeTo(51.6, 0.1)
  })

  it('varies by at most a fifth', () => {
    expect([computeRetryDelayMs(1, null, 0), computeRetryDelayMs(1, null, 1)]).to.deep.equal([4_000, 6_000])
    const any = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(any, ([attempt, random]) => {
        const delay = RETRY_DELAYS_MS[attempt]!
        expect(computeRetryDelayMs(attempt, null, random)).to.be.within(delay * 0.8, delay * 1.2)
      }),
    )
  })

  it('waits for Retry-After when that is longer', () => {
    expect(computeRetryDelayMs(1, 120_000, 0.5)).to.equal(120_000)
    expect(computeRetryDelayMs(3, 120_000, 0.5)).to.equal(1_800_000)
    expect(computeRetryDelayMs(9, 120_000, 0.5)).to.equal(null)
  })
})
