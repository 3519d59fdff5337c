/** The processes on a store that are alive. Each changes its row every second. The times in rows are not trusted while a process may be alive. */
export interface LiveProcesses {
  /** Returns whether a process is alive: one that is not known yet counts as alive until it has been silent for long enough. */
  isAlive(process: string): boolean
  /** The number of processes that are alive, this one included. */
  count(): number
  isKnown(process: string): boolean
  /** Takes note of a process of which only a claim is known. */
  notice(process: string): void
  /** Takes note of the row of a process. */
  see(process: string, row: { version: number; hasEnded: boolean }): void
  /** The store has responded now. The time in which it did not says nothing about the processes. */
  refresh(): void
}

/** A process without a sign of life for this long is dead. */
export const PROCESS_SILENCE_MS = 5_000
/** The store is asked more often than this while it responds. */
const MAX_GAP_MS = 1_000
/** By then no claim of a dead process is left. */
const FORGET_MS = 60_000

export function createLiveProcesses(own: string, now: () => number): LiveProcesses {
  const known = new Map<string, { version: number; seenAt: number; hasEnded: boolean }>()
  /** When the store responded last. Silence is measured up to then. */
  let refreshedAt = now()

  const isAlive = (process: string) => {
    const seen = known.get(process)
    if (process === own || !seen) return true
    return !seen.hasEnded && refreshedAt - seen.seenAt < PROCESS_SILENCE_MS
  }

  return {
    isAlive,
    count: () => [...known.keys()].filter(isAlive).length + (known.has(own) ? 0 : 1),
    isKnown: (process) => known.has(process),
    notice(process) {
      if (!known.has(process)) known.set(process, { version: 0, seenAt: now(), hasEnded: false })
    },
    see(process, { version, hasEnded }) {
      const seen = known.get(process)
      if (seen?.version === version && !hasEnded) return
      known.set(process, { version, seenAt: now(), hasEnded: hasEnded && process !== own })
    },
    refresh() {
      const outageMs = now() - refreshedAt > MAX_GAP_MS ? now() - refreshedAt : 0
      refreshedAt = now()
      for (const [process, seen] of known) {
        seen.seenAt = Math.min(refreshedAt, seen.seenAt + outageMs)
        if (refreshedAt - seen.seenAt > FORGET_MS) known.delete(process)
      }
    },
  }
}
