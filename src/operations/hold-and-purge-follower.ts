import type { CircuitTransition } from '../diagnostics/buffers/circuit-change-buffer.ts'
import { startPoller } from '../lifecycle/poller.ts'
import type { CircuitName } from '../ports/circuit-name.ts'
import type { Database } from '../storage/database.ts'
import { type CircuitHoldRow, type CircuitKey, readHoldsAndPurgesSince } from '../storage/operators/holds-and-purges.ts'
import { type Mode, type Tenant, tenantKey } from '../tenant.ts'

const POLL_INTERVAL_MS = 500
/** The overlap between two reads of holds and purges: longer than the difference between the clocks of machines. */
const LOOK_BACK_MS = 600_000

export interface OperatorHold {
  state: 'open' | 'closed'
  /** Held open for planned maintenance. */
  isMaintenance?: boolean
  untilMs: number
  by: string
}

/** A change of a circuit by an operator. */
export type HoldTransition = Exclude<CircuitTransition, 'open' | 'closed'>

export interface HoldAndPurgeFollowerParts {
  db: Database
  /** Holds one circuit of this process; `null` releases it. Returns `false` when the process has no such circuit. */
  hold(tenant: Tenant, circuit: CircuitName, hold: OperatorHold | null): boolean
  purge(merchant: string | null, mode: Mode | null, skus: readonly string[] | null): void
  /** Called when a hold begins in this process, and when it ends. */
  onHoldTransition(circuit: CircuitKey, transition: HoldTransition, by?: string): void
  onError(error: unknown): void
  now: () => number
  intervalMs?: number
}

export interface HoldAndPurgeFollower extends AsyncDisposable {
  /** Applies the holds and purges that are stored now. */
  poll(): Promise<void>
}

/** Applies in this process the circuit holds and cache purges that operators stored from any process, also holds older than this process. */
export function createHoldAndPurgeFollower({
  intervalMs = POLL_INTERVAL_MS,
  ...parts
}: HoldAndPurgeFollowerParts): HoldAndPurgeFollower {
  const activeHolds = new Map<string, CircuitHoldRow>()
  let appliedPurgeIds: ReadonlySet<string> = new Set()
  let readAtMs = parts.now()

  async function applyStored(): Promise<void> {
    const at = parts.now()
    // Before the store is read: a hold ends on time also while the store is unreachable.
    for (const [name, hold] of activeHolds) if (hold.untilMs <= at) release(name)
    const { holds, purges } = await readHoldsAndPurgesSince(parts.db, Math.min(readAtMs, at) - LOOK_BACK_MS, at)
    readAtMs = at
    for (const purge of purges) if (!appliedPurgeIds.has(purge.id)) parts.purge(purge.merchant, purge.mode, purge.skus)
    appliedPurgeIds = new Set(purges.map(({ id }) => id))
    applyHolds(selectEffectiveHolds(holds, at), at)
  }

  function applyHolds(holds: ReadonlyMap<string, CircuitHoldRow>, at: number): void {
    for (const [name, hold] of holds) {
      const inForce = isInForce(hold, at)
      if (inForce && activeHolds.get(name)?.id !== hold.id) begin(name, hold)
      else if (!inForce && activeHolds.has(name)) release(name, hold.state === null ? hold.by : undefined)
    }
  }

  function begin(name: string, hold: CircuitHoldRow): void {
    const { merchant, mode, circuit, state, isMaintenance, untilMs, by } = hold
    if (
      !parts.hold({ merchant, mode }, circuit, { state: state!, ...(isMaintenance && { isMaintenance }), untilMs, by })
    )
      return
    activeHolds.set(name, hold)
    parts.onHoldTransition(
      { merchant, mode, circuit },
      `held_${state!}`,
      isMaintenance ? `${by} (planned maintenance)` : by,
    )
  }

  function release(name: string, by?: string): void {
    const { merchant, mode, circuit } = activeHolds.get(name)!
    activeHolds.delete(name)
    parts.hold({ merchant, mode }, circuit, null)
    parts.onHoldTransition({ merchant, mode, circuit }, 'released', by)
  }

  // The errors of all rounds go to `onError`, also of those that `poll` starts.
  const poller = startPoller({
    round: () => applyStored().catch(parts.onError),
    intervalMs,
    onError: parts.onError,
    startsAtOnce: true,
  })
  return {
    async poll() {
      // The round under way may have read the store before.
      await poller.running
      await poller.poll()
    },
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}

const isInForce = ({ state, untilMs }: CircuitHoldRow, at: number) => state !== null && untilMs > at

/**
 * Selects the effective row of each circuit: the hold in force, otherwise the release. Rows are not compared by time, because each has the
 * time of the process that stored it. A replaced hold has already ended.
 */
function selectEffectiveHolds(holds: readonly CircuitHoldRow[], at: number): Map<string, CircuitHoldRow> {
  const weight = (hold: CircuitHoldRow) => (isInForce(hold, at) ? 2 : hold.state === null ? 1 : 0)
  return new Map(holds.toSorted((a, b) => weight(a) - weight(b)).map((hold) => [nameOf(hold), hold]))
}

const nameOf = (key: CircuitKey) => `${tenantKey(key)} ${key.circuit}`
