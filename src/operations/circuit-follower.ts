import { randomUUID } from 'node:crypto'
import { type Poller, startPoller } from '../lifecycle/poller.ts'
import type { Database } from '../storage/database.ts'
import { type Lease, listLeases, releaseLeases, takeLease } from '../storage/leases.ts'
import type { SharedCircuit } from '../upstream/guard/shared-circuit.ts'

export interface CircuitFollowerParts {
  db: Database
  now: () => number
  /** The circuits of this process, by a name that is the same in all processes. */
  circuits: ReadonlyMap<string, SharedCircuit>
  onError(error: unknown): void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

const PREFIX = 'circuit:'
/** After a circuit opens, all processes know of it within twice this time and two queries. */
const INTERVAL_MS = 300
/** After this time, the others take over the circuits of a process that has died. */
const LEASE_MS = 2_000
/** A process without calls for this many rounds leaves probing to a process that has calls. */
const MAX_IDLE_ROUNDS = 3

/**
 * Shares open circuits among the processes on a store. The process that opens a circuit first holds its lease and probes the system. The others keep
 * their circuit open until the lease ends: when the circuit has closed, or when its holder has no calls to probe with. They make a rare call of their own,
 * because it may be only the holder that cannot reach the system.
 */
export function followCircuits(parts: CircuitFollowerParts): Poller {
  const { db, now, circuits, onError, intervalMs = INTERVAL_MS } = parts
  const holder = randomUUID()
  const followed = new Set<string>()
  const idleRounds = new Map<string, number>()

  async function round(): Promise<void> {
    const at = new Date(now()).toISOString()
    const leases = new Map((await listLeases(db, [PREFIX])).map((lease) => [lease.name, lease]))
    for (const [name, circuit] of circuits) {
      const lease = leases.get(PREFIX + name)
      const active = lease && lease.until > at ? lease : null
      if (active && active.holder !== holder) follow(name, circuit, active)
      else if (circuit.ownState !== 'closed') await lead(name, circuit, active, at)
      else if (active) await release(name, at)
      else leave(name, circuit)
    }
  }

  function follow(name: string, circuit: SharedCircuit, lease: Pick<Lease, 'until' | 'holder' | 'cause'>): void {
    followed.add(name)
    circuit.follow(Date.parse(lease.until), lease.holder, JSON.parse(lease.cause ?? '[]'))
  }

  function leave(name: string, circuit: SharedCircuit): void {
    if (followed.delete(name)) circuit.unfollow()
  }

  /** Only a half-open circuit needs calls. */
  async function lead(name: string, circuit: SharedCircuit, active: Lease | null, at: string): Promise<void> {
    leave(name, circuit)
    const isIdle = circuit.takeDemand() === 0 && circuit.ownState === 'half-open'
    const rounds = isIdle ? (idleRounds.get(name) ?? 0) + 1 : 0
    idleRounds.set(name, rounds)
    if (rounds < MAX_IDLE_ROUNDS) {
      const until = new Date(now() + LEASE_MS).toISOString()
      const cause = JSON.stringify(circuit.openedBy)
      // The next round knows who was first.
      if (!(await takeLease(db, PREFIX + name, holder, { now: at, until, cause })))
        follow(name, circuit, { until, holder: '' })
    } else if (active) await release(name, at)
  }

  const release = (name: string, at: string) => releaseLeases(db, [PREFIX + name], holder, at)

  return startPoller({ round, intervalMs, onError })
}
