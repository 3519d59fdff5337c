import type { CircuitChangeBuffer } from '../buffers/circuit-change-buffer.ts'
import { emptyLatencyHistogram } from '../counts/latency-histogram.ts'
import { getTenantBucket, type TenantBucket, type TimeBucket } from '../counts/time-bucket.ts'
import type { ProcessState, SystemState, TenantState } from './process-state.ts'

/** What a process tells of itself: its last minute, and its circuits. */
export function collectProcessState(
  process: string,
  at: number,
  recent: TimeBucket,
  circuits: CircuitChangeBuffer,
): ProcessState {
  const open = circuits.openCircuits()
  for (const { owner } of open) getTenantBucket(recent, owner.tenant, owner.mode)
  const owners = [...recent.tenants.values()].flatMap((modes) => Object.values(modes))
  return { process, at, owners: owners.map((owner) => ownerState(owner, circuits, open)) }
}

function ownerState(
  owner: TenantBucket,
  circuits: CircuitChangeBuffer,
  open: ReturnType<CircuitChangeBuffer['openCircuits']>,
): TenantState {
  const { tenant, mode, answers, sections: parts, impacts: shown } = owner
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
    systems.push({ system: circuit.system, open: true, calls: 0, failed: 0, latency: emptyLatencyHistogram() })
  }
  return {
    ...{ tenant, mode, answers: answers.total, degraded: answers.degraded, systems },
    shown: [...shown.values()].flat(),
  }
}
