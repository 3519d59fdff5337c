/** The highest of the numbers of a moment ago. */
export interface RecentPeak {
  add(value: number): void
  /** Returns the highest number of the last one to two intervals, or `current` if that is higher. */
  read(current: number): number
}

const INTERVAL_MS = 400

export function createRecentPeak(now: () => number): RecentPeak {
  let startedAt = now()
  let peak = 0
  let previous = 0

  function turn(next: number): void {
    const intervals = Math.floor((now() - startedAt) / INTERVAL_MS)
    if (intervals === 0) return
    previous = intervals === 1 ? peak : next
    peak = next
    startedAt += intervals * INTERVAL_MS
  }

  return {
    add(value) {
      turn(value)
      peak = Math.max(peak, value)
    },
    read(current) {
      turn(current)
      return Math.max(peak, previous, current)
    },
  }
}
