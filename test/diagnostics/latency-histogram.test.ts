import { expect } from 'chai'
import {
  emptyLatencyHistogram,
  fromLatencyColumns,
  latencyBucketIndex,
  percentile,
  toLatencyColumns,
} from '../../src/diagnostics/counts/latency-histogram.ts'

describe('a latency histogram', () => {
  const of = (...times: number[]) => {
    const all = emptyLatencyHistogram()
    for (const ms of times) all[latencyBucketIndex(ms)]! += 1
    return all
  }

  it('counts up to each bound, and above all of them', () => {
    expect(toLatencyColumns(of(0, 5, 5.1, 5_000, 5_001, 60_000))).to.include({ le_5: 2, le_10: 1, le_5000: 1, over: 2 })
    expect(fromLatencyColumns(toLatencyColumns(of(7, 70, 7_000)))).to.deep.equal(of(7, 70, 7_000))
  })

  it('estimates percentiles, with values spread evenly in each bucket', () => {
    expect(percentile(emptyLatencyHistogram(), 0.5)).to.equal(null)
    expect(percentile(of(7, 7, 7, 7), 0.5)).to.equal(7.5)
    expect(percentile(of(...new Array(99).fill(3), 900), 0.99)).to.equal(5)
    expect(percentile(of(...new Array(98).fill(3), 900, 900), 0.99)).to.equal(875)
    expect(percentile(of(9_000), 0.99)).to.equal(5_000)
  })

  it('estimates no percentile above the longest value', () => {
    expect(percentile(of(1_046), 0.99)).to.equal(1_990)
    expect(percentile(of(1_046), 0.99, 1_046)).to.equal(1_046)
    expect(percentile(of(9_000), 0.99, 9_000)).to.equal(9_000)
    expect(percentile(of(...new Array(99).fill(3), 900), 0.99, 900)).to.equal(5)
  })
})
