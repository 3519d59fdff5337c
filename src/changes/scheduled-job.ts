import { UpstreamError } from '../errors.ts'
import type { System } from '../ports/system.ts'
import type { FeedJob } from './change-source.ts'

/** When a job is done next. */
export interface ScheduledJob {
  readonly system: System
  /** Ends when the run under way has. */
  readonly running: Promise<void> | undefined
  /** Whether its time has come: `anyway`, unless it waits for a failing system, or has a pace of its own. */
  isDue(anyway?: boolean): boolean
  /** The system says that something changed. */
  wake(): void
  readonly isWoken: boolean
  start(): Promise<void>
}

export interface ScheduledJobParts {
  job: FeedJob
  now: () => number
  /** `null`: by hand alone. */
  intervalMs: number | null
  random: () => number
  onError(error: unknown): void
}

const LONGEST_PAUSE_MS = 60_000
const SHORTEST_PAUSE_MS = 1_000
/** What a system does not offer, it may learn. */
const REST_MS = 3_600_000
/** Not all merchants at once. */
const FIRST_SPREAD_MS = 1_000

/** One job at its own pace: it waits for no other, is done once at a time, and comes back later and later while its system fails. */
export function createScheduledJob({ job, now, intervalMs, random, onError }: ScheduledJobParts): ScheduledJob {
  const everyMs = job.everyMs ?? intervalMs ?? 0
  let nextAt = now() + (intervalMs === null ? 0 : Math.min(FIRST_SPREAD_MS, everyMs) * random())
  let failures = 0
  let resting = false
  let woken = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    woken = false
    try {
      await job.run()
      failures = 0
      resting = false
      nextAt = now() + everyMs * (0.9 + random() / 5)
    } catch (error) {
      resting = error instanceof UpstreamError && error.failure === 'not_configured'
      nextAt = now() + (resting ? REST_MS : pauseMs(failures++))
      // What the guards have told of already is told of there.
      if (!(error instanceof UpstreamError)) onError(error)
    }
  }

  function pauseMs(before: number): number {
    const base = Math.max(everyMs, SHORTEST_PAUSE_MS)
    const longest = Math.max(everyMs, LONGEST_PAUSE_MS)
    return Math.min(longest, base * 2 ** Math.min(before, 10)) * (0.75 + random() / 2)
  }

  return {
    system: job.system,
    get running() {
      return running
    },
    get isWoken() {
      return woken && !resting && running === undefined
    },
    isDue(anyway = false) {
      const free = anyway && job.everyMs === undefined && failures === 0 && !resting
      return running === undefined && (free || nextAt <= now())
    },
    wake() {
      woken = true
    },
    start() {
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
  }
}
