import { LATENCY_BOUNDS_MS, type LatencyColumns } from '../../storage/tables/diagnostics-tables.ts'

/** Counts by bucket of LATENCY_BOUNDS_MS; the last bucket is above all bounds. */
export const emptyLatencyHistogram = (): number[] => new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0)

export function latencyBucketIndex(ms: number): number {
  let bucket = 0
  while (bucket < LATENCY_BOUNDS_MS.length && ms > LATENCY_BOUNDS_MS[bucket]!) bucket += 1
  return bucket
}

export function addLatencyHistogram(sum: number[], histogram: readonly number[]): void {
  for (let bucket = 0; bucket < sum.length; bucket++) sum[bucket]! += histogram[bucket] ?? 0
}

/**
 * Estimates a percentile (`share`: 0..1), with values spread evenly within each bucket. No estimate is above the longest value, if that is known.
 * Values above all bounds count as the longest, or else as the highest bound. `null` when the histogram is empty.
 */
export function percentile(
  histogram: readonly number[],
  share: number,
  longestMs: number | null = null,
): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let remaining = share * total
  for (let bucket = 0; bucket < LATENCY_BOUNDS_MS.length; bucket++) {
    const count = histogram[bucket]!
    if (count > 0 && remaining <= count) {
      const lowerMs = LATENCY_BOUNDS_MS[bucket - 1] ?? 0
      const ms = Math.round((lowerMs + (remaining / count) * (LATENCY_BOUNDS_MS[bucket]! - lowerMs)) * 10) / 10
      return longestMs === null ? ms : Math.min(ms, longestMs)
    }
    remaining -= count
  }
  return longestMs ?? LATENCY_BOUNDS_MS.at(-1)!
}

/** Returns whether no value of a histogram is above all that its longest value, rounded, allows: processes of an earlier release do not change that one. */
export const isLongest = (longestMs: number, histogram: readonly number[]): boolean =>
  latencyBucketIndex(longestMs + 0.5) >= histogram.findLastIndex((count) => count > 0)

/** The columns of the timeline, in the order of the buckets. */
export const latencyColumns = [...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}` as const), 'over'] as const

export const toLatencyColumns = (histogram: readonly number[]) =>
  Object.fromEntries(latencyColumns.map((column, bucket) => [column, histogram[bucket] ?? 0])) as LatencyColumns

export const fromLatencyColumns = (columns: LatencyColumns): number[] => latencyColumns.map((column) => columns[column])
