import type { Mode } from '../config/config.ts'
import type { PortName } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import { type CircuitHoldRow, type CircuitKey, readOverridesSince } from '../storage/operators/overrides.ts'

const EVERY_MS = 500
/** Before the last time that the store was heard: longer than clocks of machines differ. */
const LOOK_BACK_MS = 600_000

export interface OperatorHold {
  state: 'open' | 'closed'
  untilMs: number
  by: string
}

/** What happened to a circuit by hand. */
export type HoldTransition = 'held_open' | 'held_closed' | 'released'

export interface OverrideFollowerParts {
  db: Database
  /** Holds one circuit of this process; `null` lets it go. `false`: it has no such circuit. */
  hold(merchant: string, mode: Mode, system: PortName, hold: OperatorHold | null): boolean
  purge(merchant: string | null, mode: Mode | null, skus: readonly string[] | null): void
  /** Told of each hold here, and of its end. */
  onHoldTransition(circuit: CircuitKey, turn: HoldTransition, by?: string): void
  onError(error: unknown): void
  now: () => number
  everyMs?: number
}

export interface OverrideFollower extends AsyncDisposable {
  /** Does at once what has been said. */
  poll(): Promise<void>
}

/** Does in this process what operators said in any: holds circuits, and forgets what is cached. A hold that began before this process did counts too. */
export function followOverrides({ everyMs = EVERY_MS, ...parts }: OverrideFollowerParts): OverrideFollower {
  const held = new Map<string, CircuitHoldRow>()
  let purged: ReadonlySet<string> = new Set()
  /** When the store last told what was said. */
  let heardAt = parts.now()
  let looking: Promise<void> | null = null

  async function round(): Promise<void> {
    const at = parts.now()
    // Before the store is asked: one that is away keeps no circuit held.
    for (const [name, hold] of held) if (hold.untilMs <= at) release(name)
    const { holds, purges } = await readOverridesSince(parts.db, Math.min(heardAt, at) - LOOK_BACK_MS, at)
    heardAt = at
    for (const purge of purges) if (!purged.has(purge.id)) parts.purge(purge.merchant, purge.mode, purge.skus)
    purged = new Set(purges.map(({ id }) => id))
    apply(counting(holds, at), at)
  }

  function apply(words: ReadonlyMap<string, CircuitHoldRow>, at: number): void {
    for (const [name, hold] of words) {
      const inForce = isInForce(hold, at)
      if (inForce && held.get(name)?.id !== hold.id) take(name, hold)
      else if (!inForce && held.has(name)) release(name, hold.state === null ? hold.by : undefined)
    }
  }

  function take(name: string, hold: CircuitHoldRow): void {
    const { merchant, mode, system, state, untilMs, by } = hold
    if (!parts.hold(merchant, mode, system, { state: state!, untilMs, by })) return
    held.set(name, hold)
    parts.onHoldTransition({ merchant, mode, system }, `held_${state!}`, by)
  }

  function release(name: string, by?: string): void {
    const { merchant, mode, system } = held.get(name)!
    held.delete(name)
    parts.hold(merchant, mode, system, null)
    parts.onHoldTransition({ merchant, mode, system }, 'released', by)
  }

  /** One at a time: two that pass each other would do the older last. */
  function next(): Promise<void> {
    looking ??= round()
      .catch(parts.onError)
      .finally(() => {
        looking = null
      })
    return looking
  }

  const timer = setInterval(next, everyMs).unref()
  void next()
  return {
    async poll() {
      await looking
      await next()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await looking
    },
  }
}

const isInForce = ({ state, untilMs }: CircuitHoldRow, at: number) => state !== null && untilMs > at

/**
 * The word that counts on each circuit: the hold in force, else who let it go. Not by when they were said: each is dated by the clock of
 * the process where it was, and a hold that was spoken over has been ended.
 */
function counting(holds: readonly CircuitHoldRow[], at: number): Map<string, CircuitHoldRow> {
  const weight = (hold: CircuitHoldRow) => (isInForce(hold, at) ? 2 : hold.state === null ? 1 : 0)
  return new Map(holds.toSorted((a, b) => weight(a) - weight(b)).map((hold) => [nameOf(hold), hold]))
}

const nameOf = ({ merchant, mode, system }: CircuitKey) => `${merchant}/${mode} ${system}`
