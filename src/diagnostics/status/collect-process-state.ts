import type { CircuitBook } from '../buffers/circuit-change-buffer.ts'
import { noLatencies } from '../counts/latency-histogram.ts'
import type { OwnerState, ProcessState, SystemState } from './process-state.ts'
import { type OwnerSlot, ownerIn, type Slot } from '../counts/time-bucket.ts'

/** What a process tells of itself: its last minute, and its circuits. */
export function liveState(process: string, at: number, recent: Slot, circuits: CircuitBook): ProcessState {
  const open = circuits.open()
  for (const { owner } of open) ownerIn(recent, owner.tenant, owner.mode)
  const owners = [...recent.owners.values()].flatMap((modes) => Object.values(modes))
  return { process, at, owners: owners.map((owner) => ownerState(owner, circuits, open)) }
}

function ownerState(owner: OwnerSlot, circuits: CircuitBook, open: ReturnType<CircuitBook['open']>): OwnerState {
  const { tenant, mode, answers, parts, shown } = owner
  const systems: SystemState[] = []
  for (const [system, sections] of parts) {
    const calls = sections.get('')
    if (!calls) continue
    const { total, degraded, latency } = calls
    systems.push({ system, open: circuits.isOpen(owner, system), calls: total, failed: degraded, latency })
  }
  for (const circuit of open) {
    const isOwn = circuit.owner.tenant === tenant && circuit.owner.mode === mode
    if (!isOwn || systems.some(({ system }) => system === circuit.system)) continue
    systems.push({ system: circuit.system, open: true, calls: 0, failed: 0, latency: noLatencies() })
  }
  return {
    ...{ tenant, mode, answers: answers.total, degraded: answers.degraded, systems },
    shown: [...shown.values()].flat(),
  }
}
