import { expect } from 'chai'
import { toGrowthPercent, toHeapLimit } from '../../src/operations/heap-limit.ts'

const MB = 1e6

describe('the growth of the heap between two collections', () => {
  it('is V8’s choice while the heap can double twice below the limit, and small close to it', () => {
    expect(toGrowthPercent(500 * MB, { rss: 200 * MB, heapTotal: 100 * MB })).to.equal(0)
    expect(toGrowthPercent(500 * MB, { rss: 400 * MB, heapTotal: 100 * MB })).to.equal(50)
    expect(toGrowthPercent(500 * MB, { rss: 600 * MB, heapTotal: 100 * MB })).to.equal(10)
  })

  it('does not count the threads of mirrors as garbage', () => {
    const cap = 256 * MB
    const process = { rss: cap + 100 * MB, heapTotal: 100 * MB }
    const withThreads = { ...process, rss: process.rss + 150 * MB }
    expect(toGrowthPercent(toHeapLimit(cap, true), withThreads)).to.equal(
      toGrowthPercent(toHeapLimit(cap, false), process),
    )
  })
})
