import { addLatencyHistogram, emptyLatencyHistogram, latencyBucketIndex } from './latency-histogram.ts'

/** Counts of responses, or of calls, in a period. */
export interface Tally {
  total: number
  degraded: number
  /** The degraded ones that were filled with last-good values. */
  stale: number
  latency: number[]
}

export const emptyTally = (): Tally => ({ total: 0, degraded: 0, stale: 0, latency: emptyLatencyHistogram() })

export function countInTally(tally: Tally, ms: number | null): void {
  tally.total += 1
  if (ms !== null) tally.latency[latencyBucketIndex(ms)]! += 1
}

export function addTally(sum: Tally, tally: Tally): void {
  sum.total += tally.total
  sum.degraded += tally.degraded
  sum.stale += tally.stale
  addLatencyHistogram(sum.latency, tally.latency)
}
