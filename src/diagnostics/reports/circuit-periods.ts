import type { Database } from '../../storage/database.ts'
import { type BreakerChange, listBreakerChanges } from '../../storage/diagnostics/breaker-changes.ts'
import { PROCESS_EXPIRY_MS, readProcessesLastSeen } from '../../storage/diagnostics/process-states.ts'
import type { Tenant } from '../../tenant.ts'
import { getOrCreate } from '../get-or-create.ts'

/** A period in which a circuit was open, or held by an operator. */
export interface CircuitPeriod {
  system: string
  process: string
  state: 'open' | 'held_open' | 'held_closed'
  fromMs: number
  toMs: number
}

export interface CircuitPeriodsQuery extends Tenant {
  fromMs: number
  /** Not after now. */
  toMs: number
}

/** Changes are read from this long before the queried period. A circuit that opened earlier and has not changed since is not found. */
const LOOK_BACK_MS = 86_400_000
const MAX_CHANGES = 2_000
/** How long a circuit counts as open after its last change when nothing else is known of its process. */
const UNKNOWN_PROCESS_MS = 60_000

/** Lists the periods in which circuits were open or held. The period of a process that died ends with its last heartbeat. */
export async function listCircuitPeriods(
  db: Database,
  { merchant, mode, fromMs, toMs }: CircuitPeriodsQuery,
): Promise<CircuitPeriod[]> {
  const [from, to] = [new Date(fromMs - LOOK_BACK_MS).toISOString(), new Date(toMs).toISOString()]
  const changes = await listBreakerChanges(db, { merchant, mode, from, to, limit: MAX_CHANGES })
  const lastSeen = await readProcessesLastSeen(db, [...new Set(changes.map(({ process }) => process))])
  const changesByCircuit = new Map<string, BreakerChange[]>()
  for (const change of changes) {
    const source = isByOperator(change) ? 'operator' : 'breaker'
    const key = `${change.process} ${change.system} ${source}`
    getOrCreate(changesByCircuit, key, (): BreakerChange[] => []).push(change)
  }
  return [...changesByCircuit.values()]
    .flatMap((circuitChanges) => toPeriods(circuitChanges, endOf(circuitChanges.at(-1)!, lastSeen, toMs)))
    .filter((period) => period.toMs > fromMs && period.toMs > period.fromMs)
    .map((period) => ({ ...period, fromMs: Math.max(period.fromMs, fromMs) }))
}

const isByOperator = ({ state }: BreakerChange) => state !== 'open' && state !== 'closed'

function endOf({ process, at }: BreakerChange, lastSeen: ReadonlyMap<string, string>, toMs: number): number {
  const seenAt = lastSeen.get(process)
  const endMs = seenAt === undefined ? Date.parse(at) + UNKNOWN_PROCESS_MS : Date.parse(seenAt)
  return endMs > toMs - PROCESS_EXPIRY_MS ? toMs : endMs
}

function toPeriods(changes: readonly BreakerChange[], endMs: number): CircuitPeriod[] {
  return changes.flatMap(({ state, at, system, process }, index) => {
    if (state === 'closed' || state === 'released') return []
    const next = changes[index + 1]
    return { system, process, state, fromMs: Date.parse(at), toMs: next ? Date.parse(next.at) : endMs }
  })
}
