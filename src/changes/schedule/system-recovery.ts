import type { ScheduledJob } from './scheduled-job.ts'

/** The time between two tries to reach a system again. */
const TRY_INTERVAL_MS = 1_500

/**
 * Watches whether one system can be reached. Each of its jobs backs off by itself, up to a minute. While the whole system cannot be reached,
 * one job tries it often, and the others follow as soon as that succeeds.
 */
export interface SystemRecovery {
  /** Returns the jobs that must start now, whatever their own schedule is. */
  listDue(): ScheduledJob[]
}

export function createSystemRecovery(jobs: readonly ScheduledJob[], now: () => number): SystemRecovery {
  const callers = jobs.filter(({ callsSystem }) => callsSystem)
  let reachedAt = Number.NEGATIVE_INFINITY

  /** If another job has reached the system since, the failure is the job's own, not the system's. */
  const listWaiting = () =>
    jobs.filter(({ unreachableSince }) => unreachableSince !== null && unreachableSince > reachedAt)

  return {
    listDue() {
      const waiting = listWaiting()
      const latest = Math.max(...callers.map((job) => job.succeededAt))
      if (latest > reachedAt) {
        reachedAt = latest
        return waiting
      }
      if (waiting.some(({ running, triedAt }) => running || now() - triedAt < TRY_INTERVAL_MS)) return []
      // In turns, so that one job whose calls hang does not hold up the others.
      const tries = waiting.filter((job) => callers.includes(job))
      return tries.sort((one, other) => one.triedAt - other.triedAt).slice(0, 1)
    },
  }
}
