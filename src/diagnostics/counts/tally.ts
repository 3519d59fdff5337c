import { addLatencyHistogram, emptyLatencyHistogram, latencyBucketIndex } from './latency-histogram.ts'

/** Counts of responses, or of calls, in a period. */
export interface Tally {
  total: number
  degraded: number
  /** The degraded ones that were filled with last-good values. */
  stale: number
  latency: number[]
  /** The longest time that `latency` counts; 0 if there is none. */
  longestMs: number
}

export const emptyTally = (): Tally => ({
  total: 0,
  degraded: 0,
  stale: 0,
  latency: emptyLatencyHistogram(),
  longestMs: 0,
})

export function countInTally(tally: Tally, ms: number | null): void {
  tally.total += 1
  if (ms === null) return
  tally.latency[latencyBucketIndex(ms)]! += 1
  if (ms > tally.longestMs) tally.longestMs = ms
}

export function addTally(sum: Tally, tally: Tally): void {
  sum.total += tally.total
  sum.degraded += tally.degraded
  sum.stale += tally.stale
  addLatencyHistogram(sum.latency, tally.latency)
  if (tally.longestMs > sum.longestMs) sum.longestMs = tally.longestMs
}
