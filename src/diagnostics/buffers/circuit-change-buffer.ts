import { randomUUID } from 'node:crypto'
import type { CircuitName } from '../../ports/circuit-name.ts'
import type { BreakerChange } from '../../storage/diagnostics/breaker-changes.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import { type Tenant, tenantKey } from '../../tenant.ts'
import type { FailureCount } from '../../upstream/guard/recent-failure-kinds.ts'

/** A change of a circuit: by its breaker (open, closed) or by an operator (held_open, held_closed, released). */
export type CircuitTransition = 'open' | 'closed' | 'held_open' | 'held_closed' | 'released'

export interface CircuitTransitionDetails {
  /** The operator. */
  by?: string | undefined
  /** The failures that opened the circuit. */
  failures?: readonly FailureCount[]
}

/** Transitions of this process's circuits that are not written yet, and the circuits that are open. */
export interface CircuitChangeBuffer {
  recordTransition(
    tenant: Tenant,
    system: CircuitName,
    state: CircuitTransition,
    at: number,
    details?: CircuitTransitionDetails,
  ): void
  isOpen(tenant: Tenant, system: string): boolean
  openCircuits(): { tenant: Tenant; system: CircuitName }[]
  /** Records that holds and open circuits end with this process. */
  closeAll(at: number): void
  take(): BreakerChange[]
  /** Takes back changes that could not be written. */
  restore(changes: readonly BreakerChange[]): void
}

interface Circuit {
  tenant: Tenant
  system: CircuitName
  isBreakerOpen: boolean
  hold: CircuitTransition | null
}

/** Changes in memory while the store is unreachable; the oldest are dropped. */
const MAX_UNWRITTEN = 1_000

export function createCircuitChangeBuffer(process: string): CircuitChangeBuffer {
  const circuits = new Map<string, Circuit>()
  let unwritten: BreakerChange[] = []

  function getCircuit(tenant: Tenant, system: CircuitName): Circuit {
    const key = circuitKey(tenant, system)
    const circuit = circuits.get(key) ?? { tenant, system, isBreakerOpen: false, hold: null }
    circuits.set(key, circuit)
    return circuit
  }

  function recordTransition(
    tenant: Tenant,
    system: CircuitName,
    state: CircuitTransition,
    at: number,
    { by, failures = [] }: CircuitTransitionDetails = {},
  ): void {
    const circuit = getCircuit(tenant, system)
    if (state === 'open' || state === 'closed') {
      if (circuit.isBreakerOpen === (state === 'open')) return
      circuit.isBreakerOpen = state === 'open'
    } else circuit.hold = state === 'released' ? null : state
    unwritten.push({
      change_id: randomUUID(),
      ...tenantColumns(tenant),
      system,
      process,
      at: new Date(at).toISOString(),
      state,
      by: by ?? null,
      causes: failures.length === 0 ? null : JSON.stringify(failures),
    })
    if (unwritten.length > MAX_UNWRITTEN) unwritten.shift()
  }

  return {
    recordTransition,
    closeAll(at) {
      for (const { tenant, system, isBreakerOpen, hold } of circuits.values()) {
        if (hold) recordTransition(tenant, system, 'released', at)
        if (isBreakerOpen) recordTransition(tenant, system, 'closed', at)
      }
    },
    isOpen(tenant, system) {
      const circuit = circuits.get(circuitKey(tenant, system))
      return circuit !== undefined && isOpen(circuit)
    },
    openCircuits: () => [...circuits.values()].filter(isOpen),
    take() {
      const taken = unwritten
      unwritten = []
      return taken
    },
    restore(changes) {
      unwritten = [...changes, ...unwritten].slice(-MAX_UNWRITTEN)
    },
  }
}

const circuitKey = (tenant: Tenant, system: string) => `${tenantKey(tenant)} ${system}`
const isOpen = ({ isBreakerOpen, hold }: Circuit) => hold === 'held_open' || (isBreakerOpen && hold === null)
