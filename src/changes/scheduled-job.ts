import { UpstreamError } from '../errors.ts'
import { createSingleFlight } from '../lifecycle/single-flight.ts'
import type { System } from '../ports/system.ts'
import type { FeedJob } from './change-source.ts'

/** A feed job with its schedule. */
export interface ScheduledJob {
  readonly system: System | null
  /** The current run. */
  readonly running: Promise<void> | undefined
  /** `ignoresInterval`: the job is also due before its time, unless its system fails or it has its own interval. */
  isDue(ignoresInterval?: boolean): boolean
  /** The system has reported a change. */
  wake(): void
  readonly isWoken: boolean
  start(): Promise<void>
}

export interface ScheduledJobParts {
  job: FeedJob
  now: () => number
  /** `null`: no timer; the job runs when called. */
  intervalMs: number | null
  random: () => number
  onError(error: unknown): void
}

const MAX_RETRY_DELAY_MS = 60_000
const MIN_RETRY_DELAY_MS = 1_000
/** A system that does not offer this feed is called again after this time. */
const UNSUPPORTED_RETRY_MS = 3_600_000
/** Spreads the first runs of all tenants. */
const FIRST_RUN_SPREAD_MS = 1_000

/** Schedules one job independently of the others. Runs do not overlap, and the delay grows while the system fails. */
export function createScheduledJob({ job, now, intervalMs, random, onError }: ScheduledJobParts): ScheduledJob {
  const jobIntervalMs = () => job.intervalMs ?? intervalMs ?? 0
  let nextAt = now() + (intervalMs === null ? 0 : Math.min(FIRST_RUN_SPREAD_MS, jobIntervalMs()) * random())
  let failures = 0
  let isUnsupported = false
  let hasWakeUp = false
  const flight = createSingleFlight(run)

  async function run(): Promise<void> {
    hasWakeUp = false
    try {
      await job.run()
      failures = 0
      isUnsupported = false
      nextAt = now() + jobIntervalMs() * (0.9 + random() / 5)
    } catch (error) {
      isUnsupported = error instanceof UpstreamError && error.failure === 'not_configured'
      nextAt = now() + (isUnsupported ? UNSUPPORTED_RETRY_MS : retryDelayMs(failures++))
      // The guard has already reported upstream failures.
      if (!(error instanceof UpstreamError)) onError(error)
    }
  }

  function retryDelayMs(failedRuns: number): number {
    const baseMs = Math.max(jobIntervalMs(), MIN_RETRY_DELAY_MS)
    const maxDelayMs = Math.max(jobIntervalMs(), MAX_RETRY_DELAY_MS)
    return Math.min(maxDelayMs, baseMs * 2 ** Math.min(failedRuns, 10)) * (0.75 + random() / 2)
  }

  return {
    system: job.system,
    get running() {
      return flight.running
    },
    get isWoken() {
      return hasWakeUp && !isUnsupported && flight.running === undefined
    },
    isDue(ignoresInterval = false) {
      const isWanted = (ignoresInterval && job.intervalMs === undefined) || job.hasWork?.()
      const mayRunEarly = isWanted && failures === 0 && !isUnsupported
      return flight.running === undefined && (mayRunEarly === true || nextAt <= now())
    },
    wake() {
      hasWakeUp = true
    },
    start: () => flight.run(),
  }
}
