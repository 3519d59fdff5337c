import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import { createSingleFlight } from '../../lifecycle/single-flight.ts'
import type { System } from '../../ports/system.ts'
import type { ChangeJob } from '../feed/change-job.ts'

/** A feed job with its schedule. */
export interface ScheduledJob {
  readonly system: System | null
  /** Each run calls the system. */
  readonly callsSystem: boolean
  /** The current run. */
  readonly running: Promise<void> | undefined
  /** `ignoresInterval`: the job is also due before its time, unless its system fails or it has its own interval. */
  isDue(ignoresInterval?: boolean): boolean
  /** True for a change feed whose next run is so near that it may as well begin now. */
  readonly isDueSoon: boolean
  /** When the last run began, in milliseconds since the epoch, as all times here. */
  readonly triedAt: number
  /** When the last successful run began. */
  readonly succeededAt: number
  /** When runs began to fail because the system could not be reached; `null`: the last run reached it. */
  readonly unreachableSince: number | null
  /** The system has reported a change. */
  wake(): void
  readonly isWoken: boolean
  start(): Promise<void>
}

export interface ScheduledJobParts {
  job: ChangeJob
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
/** Each wait differs from the interval by up to a tenth, either way. */
const JITTER = 0.2
/** Spreads the first runs of all tenants. */
const FIRST_RUN_SPREAD_MS = 1_000

/** Schedules one job independently of the others. Runs do not overlap, and the delay grows while the system fails. */
export function createScheduledJob({ job, now, intervalMs, random, onError }: ScheduledJobParts): ScheduledJob {
  const jobIntervalMs = () => job.intervalMs ?? intervalMs ?? 0
  let nextAt = now() + (intervalMs === null ? 0 : Math.min(FIRST_RUN_SPREAD_MS, jobIntervalMs()) * random())
  let failures = 0
  let isUnsupported = false
  let hasWakeUp = false
  let triedAt = Number.NEGATIVE_INFINITY
  let succeededAt = Number.NEGATIVE_INFINITY
  let unreachableSince: number | null = null
  const flight = createSingleFlight(run)

  async function run(): Promise<void> {
    hasWakeUp = false
    triedAt = now()
    try {
      await job.run()
      succeededAt = triedAt
      unreachableSince = null
      failures = 0
      isUnsupported = false
      nextAt = now() + jobIntervalMs() * (1 - JITTER / 2 + random() * JITTER)
    } catch (error) {
      unreachableSince = isUnreachable(error) ? (unreachableSince ?? now()) : null
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
    callsSystem: job.callsSystem === true,
    get running() {
      return flight.running
    },
    get triedAt() {
      return triedAt
    },
    get succeededAt() {
      return succeededAt
    },
    get unreachableSince() {
      return unreachableSince
    },
    get isWoken() {
      return hasWakeUp && !isUnsupported && flight.running === undefined
    },
    get isDueSoon() {
      const isFeed = job.callsSystem === true && job.intervalMs === undefined
      const isWell = failures === 0 && !isUnsupported && flight.running === undefined
      return isFeed && isWell && nextAt <= now() + jobIntervalMs() * JITTER
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

const UNREACHABLE = new Set<UpstreamFailure>(['unavailable', 'circuit_open', 'maintenance', 'timeout', 'unauthorized'])

/** Retryable responses count too: a proxy may send them for a system that is down. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof UpstreamError && (UNREACHABLE.has(error.failure) || error.retryable)
