/** How often calls failed in one way. */
export interface FailureCount {
  /** See `failureKind`. */
  kind: string
  count: number
  /** All of them happened before a time without failures: the system failed in another way then. Absent: no. */
  isEarlier?: true
}

/** The latest failures of a system, for the cause of an open circuit. Successful calls do not touch it. */
export interface RecentFailureKinds {
  add(kind: string): void
  /** Returns the failures of the last `ms` milliseconds: first those after the last five seconds without one, and the most frequent kind first. */
  within(ms: number): FailureCount[]
  clear(): void
}

/** Failures of one kind in one second are one entry. The oldest entry makes room. */
const MAX_ENTRIES = 64
const MAX_KINDS = 8
const STEP_MS = 1_000
/** Failures this far apart may have different causes. */
const PAUSE_MS = 5_000

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
      const recent = entries.filter(({ last }) => last >= from)
      const latestKinds = new Set(dropBeforePause(recent).map(({ kind }) => kind))
      const counts = new Map<string, number>()
      for (const { kind, count } of recent) counts.set(kind, (counts.get(kind) ?? 0) + count)
      const isEarlier = ({ kind }: FailureCount) => !latestKinds.has(kind)
      return [...counts]
        .map(([kind, count]): FailureCount => ({ kind, count }))
        .toSorted((one, other) => Number(isEarlier(one)) - Number(isEarlier(other)) || other.count - one.count)
        .map((one) => (isEarlier(one) ? { ...one, isEarlier: true as const } : one))
        .slice(0, MAX_KINDS)
    },
    clear() {
      entries = []
    },
  }
}

interface FailureTimes {
  since: number
  last: number
}

/** Leaves out the failures before the last pause between two. */
function dropBeforePause<E extends FailureTimes>(entries: readonly E[]): readonly E[] {
  const latest = entries.findLastIndex(({ since }, index) => {
    const before = entries.slice(0, index)
    return before.length > 0 && since - Math.max(...before.map(({ last }) => last)) >= PAUSE_MS
  })
  return latest === -1 ? entries : entries.slice(latest)
}
