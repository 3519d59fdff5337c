import { randomUUID } from 'node:crypto'
import type { PortName } from '../../ports/system.ts'
import type { BreakerChange } from '../../storage/diagnostics/breaker-changes.ts'
import type { CircuitTransition } from '../diagnostics.ts'
import type { Owner } from './incident-buffer.ts'

/** What circuits did and is not written yet, and which of them are open. */
export interface CircuitChangeBuffer {
  recordTransition(owner: Owner, system: PortName, state: CircuitTransition, by: string | null, at: number): void
  isOpen(owner: Owner, system: string): boolean
  openCircuits(): { owner: Owner; system: PortName }[]
  /** They end with their process. */
  closeAll(at: number): void
  take(): BreakerChange[]
  /** Those that could not be written. */
  restore(changes: readonly BreakerChange[]): void
}

/** While the store is away; the oldest are left out. */
const MOST_HELD = 1_000

export function createCircuitChangeBuffer(process: string): CircuitChangeBuffer {
  const circuits = new Map<
    string,
    { owner: Owner; system: PortName; broken: boolean; held: CircuitTransition | null }
  >()
  let unwritten: BreakerChange[] = []

  function circuitOf(owner: Owner, system: PortName) {
    const name = nameOf(owner, system)
    const circuit = circuits.get(name) ?? { owner, system, broken: false, held: null }
    circuits.set(name, circuit)
    return circuit
  }

  function turned(owner: Owner, system: PortName, state: CircuitTransition, by: string | null, at: number): void {
    const circuit = circuitOf(owner, system)
    if (state === 'open' || state === 'closed') {
      if (circuit.broken === (state === 'open')) return
      circuit.broken = state === 'open'
    } else circuit.held = state === 'released' ? null : state
    const { tenant, mode } = owner
    unwritten.push({
      ...{ change_id: randomUUID(), tenant_id: tenant, mode, system, process },
      ...{ at: new Date(at).toISOString(), state, by },
    })
    if (unwritten.length > MOST_HELD) unwritten.shift()
  }

  return {
    recordTransition: turned,
    closeAll(at) {
      for (const { owner, system, broken, held } of circuits.values()) {
        if (held) turned(owner, system, 'released', null, at)
        if (broken) turned(owner, system, 'closed', null, at)
      }
    },
    isOpen(owner, system) {
      const circuit = circuits.get(nameOf(owner, system))
      return circuit !== undefined && isOpen(circuit)
    },
    openCircuits: () => [...circuits.values()].filter(isOpen),
    take() {
      const taken = unwritten
      unwritten = []
      return taken
    },
    restore(changes) {
      unwritten = [...changes, ...unwritten].slice(-MOST_HELD)
    },
  }
}

const nameOf = ({ tenant, mode }: Owner, system: string) => `${tenant}/${mode} ${system}`
const isOpen = ({ broken, held }: { broken: boolean; held: CircuitTransition | null }) =>
  held === 'held_open' || (broken && held === null)
