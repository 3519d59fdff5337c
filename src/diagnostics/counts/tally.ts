import { addLatencyHistogram, emptyLatencyHistogram, latencyBucketIndex } from './latency-histogram.ts'

/** Answers, or calls, in a stretch of time. */
export interface Tally {
  total: number
  degraded: number
  /** Of the degraded, those filled from what was last good. */
  stale: number
  latency: number[]
}

export const emptyTally = (): Tally => ({ total: 0, degraded: 0, stale: 0, latency: emptyLatencyHistogram() })

export function countInTally(tally: Tally, ms: number | null): void {
  tally.total += 1
  if (ms !== null) tally.latency[latencyBucketIndex(ms)]! += 1
}

export function addTally(to: Tally, more: Tally): void {
  to.total += more.total
  to.degraded += more.degraded
  to.stale += more.stale
  addLatencyHistogram(to.latency, more.latency)
}

/** The value under that key, made when it is not there yet. */
export function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const fresh = make()
  map.set(key, fresh)
  return fresh
}
