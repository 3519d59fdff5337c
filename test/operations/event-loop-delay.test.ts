import { expect } from 'chai'
import { createDelayReader, RESOLUTION_MS } from '../../src/operations/process-metrics.ts'

describe('the delay of the event loop', () => {
  it('does not include the measuring interval, and is that since the previous read', () => {
    const lateMs = 3
    let resets = 0
    const read = createDelayReader({
      count: 1,
      percentile: (at) => (RESOLUTION_MS + (lateMs * at) / 100) * 1e6,
      reset: () => void resets++,
    })
    const toMs = (delays: [string, number][]) => delays.map(([at, seconds]) => [at, Math.round(seconds * 1e5) / 100])
    expect(toMs(read())).to.deep.equal([
      ['50', 1.5],
      ['99', 2.97],
      ['100', 3],
    ])
    expect(resets).to.equal(1)
    expect(toMs(createDelayReader({ count: 1, percentile: () => 49e6, reset() {} })())).to.deep.include(['50', 0])
  })
})
