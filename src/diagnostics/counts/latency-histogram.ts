import { LATENCY_BOUNDS_MS, type LatencyColumns } from '../../storage/diagnostics/diagnostics-tables.ts'

/** How many took so long, by bucket; the last is above all bounds. */
export const emptyLatencyHistogram = (): number[] => new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0)

export function latencyBucketIndex(ms: number): number {
  let at = 0
  while (at < LATENCY_BOUNDS_MS.length && ms > LATENCY_BOUNDS_MS[at]!) at += 1
  return at
}

export function addLatencyHistogram(to: number[], more: readonly number[]): void {
  for (let at = 0; at < to.length; at++) to[at]! += more[at] ?? 0
}

/**
 * The time within which that share of them lies, as far as buckets tell: evenly spread within each. What is above all bounds counts as the
 * highest of them. `null`: there is none.
 */
export function percentile(latencies: readonly number[], share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rest = share * total
  for (let at = 0; at < LATENCY_BOUNDS_MS.length; at++) {
    const count = latencies[at]!
    if (count > 0 && rest <= count) {
      const below = LATENCY_BOUNDS_MS[at - 1] ?? 0
      return Math.round((below + (rest / count) * (LATENCY_BOUNDS_MS[at]! - below)) * 10) / 10
    }
    rest -= count
  }
  return LATENCY_BOUNDS_MS.at(-1)!
}

/** The columns, in the order of the buckets. */
export const latencyColumns = [...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}` as const), 'over'] as const

export const toLatencyColumns = (latencies: readonly number[]) =>
  Object.fromEntries(latencyColumns.map((column, at) => [column, latencies[at] ?? 0])) as LatencyColumns

export const fromLatencyColumns = (columns: LatencyColumns): number[] => latencyColumns.map((column) => columns[column])
