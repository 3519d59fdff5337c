import type { Database } from '../../storage/database.ts'
import {
  findLastEndsBefore,
  findProcessStartAfter,
  listProcessRuns,
  type ProcessRun,
} from '../../storage/diagnostics/process-runs.ts'
import { PROCESS_EXPIRY_MS } from '../../storage/diagnostics/process-states.ts'
import { START_MS } from './server-starts.ts'

/** A time in which no process of Forecourt ran. */
export interface Downtime {
  /** When the last process ended; `null`: not known. */
  fromMs: number | null
  /** The last process stopped as asked. Otherwise this is its last heartbeat: it was killed, or the machine failed. */
  isStopped: boolean
  /** When a process started again. */
  toMs: number
}

/** Of a server that cannot stay up, the latest processes are looked at. */
const MAX_RUNS = 200

/** Lists the times within a period in which Forecourt did not run, the oldest first. */
export async function listDowntimes(
  db: Database,
  { fromMs, toMs, now }: { fromMs: number; toMs: number; now: number },
): Promise<Downtime[]> {
  const iso = (ms: number) => new Date(ms).toISOString()
  // It ended a time in which nothing ran, and which may have begun within the period.
  const next = await findProcessStartAfter(db, iso(toMs))
  const latest = await listProcessRuns(db, { startedUntil: next?.at ?? iso(toMs), limit: MAX_RUNS })
  const earlier = latest.length === MAX_RUNS ? await readEarlierRuns(db, latest[0]!.at) : []
  const runs = [...earlier, ...latest].map((run) => ({ ...run, endMs: endOf(run, now) }))
  return runs
    .flatMap((run, index) => (index < earlier.length ? [] : findDowntimeBefore(run, runs.slice(0, index))))
    .filter((downtime) => downtime.toMs >= fromMs && (downtime.fromMs ?? downtime.toMs) <= toMs)
}

/** One of the processes before the latest may have run until now. */
async function readEarlierRuns(db: Database, at: string): Promise<ProcessRun[]> {
  const { stopped_at, seen_at } = await findLastEndsBefore(db, at)
  const ends = [
    { stopped_at, seen_at: null },
    { stopped_at: null, seen_at },
  ]
  return ends
    .map((end) => ({ at, process: '', ...end }))
    .filter((run) => run.stopped_at !== null || run.seen_at !== null)
}

type EndedRun = ProcessRun & { endMs: number | null }

/** Nothing is known of the time before the first process. */
function findDowntimeBefore(start: ProcessRun, earlier: readonly EndedRun[]): Downtime[] {
  const latest = earlier.at(-1)
  const toMs = Date.parse(start.at)
  if (!latest || earlier.some(({ endMs }) => (endMs ?? 0) >= toMs)) return []
  const fromMs = Math.max(...earlier.map(({ endMs }) => endMs ?? 0))
  if (latest.endMs !== null)
    return [{ fromMs, isStopped: earlier.some((run) => run.stopped_at !== null && run.endMs === fromMs), toMs }]
  // Processes start one after the other, and have no heartbeat yet.
  return toMs - Date.parse(latest.at) <= START_MS ? [] : [{ fromMs: null, isStopped: false, toMs }]
}

/**
 * A process that was killed has left its last heartbeat, and one with a recent heartbeat runs; `null`: an earlier release did not record that
 * it stopped.
 */
function endOf({ stopped_at, seen_at }: ProcessRun, now: number): number | null {
  if (stopped_at !== null) return Date.parse(stopped_at)
  if (seen_at === null) return null
  const seenMs = Date.parse(seen_at)
  return now - seenMs <= PROCESS_EXPIRY_MS ? Number.POSITIVE_INFINITY : seenMs
}
