import type { Database } from '../../storage/database.ts'
import { findProcessStartAfter, listProcessRuns, type ProcessRun } from '../../storage/diagnostics/process-starts.ts'

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
/** How long the processes of one start need at most. */
const START_MS = 60_000

/** Lists the times within a period in which Forecourt did not run, the oldest first. */
export async function listDowntimes(
  db: Database,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<Downtime[]> {
  const iso = (ms: number) => new Date(ms).toISOString()
  // It ended a time in which nothing ran, and which may have begun within the period.
  const next = await findProcessStartAfter(db, iso(toMs))
  const runs = await listProcessRuns(db, { startedUntil: next?.at ?? iso(toMs), limit: MAX_RUNS })
  return runs
    .flatMap((run, index) => findDowntimeBefore(run, runs.slice(0, index)))
    .filter((downtime) => downtime.toMs >= fromMs && (downtime.fromMs ?? downtime.toMs) <= toMs)
}

/** Nothing is known of the time before the first process. */
function findDowntimeBefore(start: ProcessRun, earlier: readonly ProcessRun[]): Downtime[] {
  const latest = earlier.at(-1)
  const toMs = Date.parse(start.at)
  if (!latest || earlier.some((run) => (endOf(run) ?? 0) >= toMs)) return []
  const fromMs = Math.max(...earlier.map((run) => endOf(run) ?? 0))
  if (endOf(latest) !== null)
    return [{ fromMs, isStopped: earlier.some((run) => run.stopped_at !== null && endOf(run) === fromMs), toMs }]
  // Processes start one after the other, and have no heartbeat yet.
  return toMs - Date.parse(latest.at) <= START_MS ? [] : [{ fromMs: null, isStopped: false, toMs }]
}

/** A process that was killed has left its last heartbeat; `null`: an earlier release did not record that it stopped. */
function endOf({ stopped_at, seen_at }: ProcessRun): number | null {
  const end = stopped_at ?? seen_at
  return end === null ? null : Date.parse(end)
}
