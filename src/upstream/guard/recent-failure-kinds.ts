/** How often calls failed in one way. */
export interface FailureCount {
  /** See `failureKind`. */
  kind: string
  count: number
}

/** The latest failures of a system, for the cause of an open circuit. Successful calls do not touch it. */
export interface RecentFailureKinds {
  add(kind: string): void
  /** Returns the failures of the last `ms` milliseconds, the most frequent kind first. */
  within(ms: number): FailureCount[]
  clear(): void
}

/** Failures of one kind in one second are one entry. The oldest entry makes room. */
const MAX_ENTRIES = 64
const MAX_KINDS = 8
const STEP_MS = 1_000

export function createRecentFailureKinds(now: () => number): RecentFailureKinds {
  let entries: (FailureCount & { since: number; last: number })[] = []

  return {
    add(kind) {
      const at = now()
      const entry = entries.find((known) => known.kind === kind && at - known.since < STEP_MS && at >= known.since)
      if (entry) {
        entry.count += 1
        entry.last = at
        return
      }
      entries.push({ kind, count: 1, since: at, last: at })
      if (entries.length > MAX_ENTRIES) entries.shift()
    },
    within(ms) {
      const from = now() - ms
      const counts = new Map<string, number>()
      for (const { kind, count, last } of entries) if (last >= from) counts.set(kind, (counts.get(kind) ?? 0) + count)
      return [...counts]
        .map(([kind, count]) => ({ kind, count }))
        .toSorted((one, other) => other.count - one.count)
        .slice(0, MAX_KINDS)
    },
    clear() {
      entries = []
    },
  }
}
