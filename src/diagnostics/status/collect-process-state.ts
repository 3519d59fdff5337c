import type { CircuitChangeBuffer } from '../buffers/circuit-change-buffer.ts'
import { getTenantBucket, type TenantBucket, type TimeBucket } from '../counts/bucket-counts.ts'
import { emptyLatencyHistogram } from '../counts/latency-histogram.ts'
import type { FailureEvidence } from './failure-evidence.ts'
import type { ProcessState, SystemState, TenantState } from './process-state.ts'

/** Collects the state of a process: the counts of its last minute, its circuits, and what it sees failing. */
export function collectProcessState(
  process: string,
  at: number,
  recent: TimeBucket,
  circuits: CircuitChangeBuffer,
  failing: FailureEvidence,
): ProcessState {
  const openCircuits = circuits.openCircuits()
  for (const { tenant } of openCircuits) getTenantBucket(recent, tenant)
  const buckets = [...recent.tenants.values()].flatMap((byMode) => Object.values(byMode))
  return { process, at, owners: buckets.map((bucket) => toTenantState(bucket, circuits, openCircuits)), failing }
}

function toTenantState(
  bucket: TenantBucket,
  circuits: CircuitChangeBuffer,
  openCircuits: ReturnType<CircuitChangeBuffer['openCircuits']>,
): TenantState {
  const { merchant, mode, answers, sections, impacts } = bucket
  const systems: SystemState[] = []
  for (const [system, bySection] of sections) {
    const calls = bySection.get('')
    if (!calls) continue
    const { total, degraded, latency } = calls
    systems.push({ system, open: circuits.isOpen(bucket, system), calls: total, failed: degraded, latency })
  }
  for (const circuit of openCircuits) {
    const isOwn = circuit.tenant.merchant === merchant && circuit.tenant.mode === mode
    if (!isOwn || systems.some(({ system }) => system === circuit.system)) continue
    systems.push({ system: circuit.system, open: true, calls: 0, failed: 0, latency: emptyLatencyHistogram() })
  }
  return {
    tenant: merchant,
    mode,
    answers: answers.total,
    degraded: answers.degraded,
    systems,
    shown: [...impacts.values()].flat(),
  }
}
