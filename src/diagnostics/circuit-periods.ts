import type { Mode } from '../config/config.ts'
import type { Database } from '../storage/database.ts'
import { type BreakerChange, listBreakerChanges } from '../storage/diagnostics/breaker-changes.ts'
import { readProcessesLastSeen } from '../storage/diagnostics/process-states.ts'
import { getOrCreate } from './counts/tally.ts'
import { PROCESS_EXPIRY_MS } from './status/process-heartbeat.ts'
import type { CircuitPeriod } from './timeline.ts'

export interface CircuitPeriodsQuery {
  tenant: string
  mode: Mode
  fromMs: number
  /** Not after now. */
  toMs: number
}

/** A circuit that opened longer ago than that, and has not turned since, is not looked for. */
const EARLIER_MS = 86_400_000
const MOST = 2_000

/** When circuits were open, or held. One whose process has gone ends when that last told of itself. */
export async function listCircuitPeriods(
  db: Database,
  { tenant, mode, fromMs, toMs }: CircuitPeriodsQuery,
): Promise<CircuitPeriod[]> {
  const [from, to] = [new Date(fromMs - EARLIER_MS).toISOString(), new Date(toMs).toISOString()]
  const changes = await listBreakerChanges(db, { tenant, mode, from, to, most: MOST })
  const seen = await readProcessesLastSeen(db, [...new Set(changes.map(({ process }) => process))])
  const bySubject = new Map<string, BreakerChange[]>()
  for (const change of changes) {
    const subject = isByHand(change) ? 'held' : 'open'
    getOrCreate(bySubject, `${change.process} ${change.system} ${subject}`, (): BreakerChange[] => []).push(change)
  }
  return [...bySubject.values()]
    .flatMap((own) => bandsOfOne(own, endOf(own.at(-1)!, seen, toMs)))
    .filter((band) => band.toMs > fromMs && band.toMs > band.fromMs)
    .map((band) => ({ ...band, fromMs: Math.max(band.fromMs, fromMs) }))
}

const isByHand = ({ state }: BreakerChange) => state !== 'open' && state !== 'closed'

/** Of a process that nothing is known of any more, no more is shown than that it turned. */
const UNKNOWN_MS = 60_000

function endOf({ process, at }: BreakerChange, seen: ReadonlyMap<string, string>, toMs: number): number {
  const lastAt = seen.has(process) ? Date.parse(seen.get(process)!) : Date.parse(at) + UNKNOWN_MS
  return lastAt > toMs - PROCESS_EXPIRY_MS ? toMs : lastAt
}

function bandsOfOne(changes: readonly BreakerChange[], end: number): CircuitPeriod[] {
  return changes.flatMap(({ state, at, system, process }, index) => {
    if (state === 'closed' || state === 'released') return []
    const next = changes[index + 1]
    return { system, process, state, fromMs: Date.parse(at), toMs: next ? Date.parse(next.at) : end }
  })
}
