import type { Tenant } from '../../tenant.ts'
import type { CircuitChangeBuffer } from '../buffers/circuit-change-buffer.ts'
import { emptyLatencyHistogram } from '../counts/latency-histogram.ts'
import { getTenantBucket, type TenantBucket, type TimeBucket } from '../counts/time-bucket.ts'
import type { FailureEvidence } from './failure-evidence.ts'
import type { ProcessState, SystemState, TenantState } from './process-state.ts'

/** Collects the state of a process: the counts of its last minute, its circuits, and what it sees failing. */
export function collectProcessState(
  process: string,
  at: number,
  recent: TimeBucket,
  circuits: CircuitChangeBuffer,
  failing: FailureEvidence,
  isHalfOpen: (tenant: Tenant, circuit: string) => boolean,
): ProcessState {
  const openCircuits = circuits.openCircuits().map((circuit) => ({
    ...circuit,
    halfOpen: isHalfOpen(circuit.tenant, circuit.system),
  }))
  for (const { tenant } of openCircuits) getTenantBucket(recent, tenant)
  const buckets = [...recent.tenants.values()].flatMap((byMode) => Object.values(byMode))
  return { process, at, owners: buckets.map((bucket) => toTenantState(bucket, openCircuits)), failing }
}

function toTenantState(
  bucket: TenantBucket,
  openCircuits: (ReturnType<CircuitChangeBuffer['openCircuits']>[number] & { halfOpen: boolean })[],
): TenantState {
  const { merchant, mode, answers, sections, impacts } = bucket
  const systems: SystemState[] = []
  const own = openCircuits.filter(({ tenant }) => tenant.merchant === merchant && tenant.mode === mode)
  const openStates = new Map(
    own.map(({ system, halfOpen }) => [system as string, { open: true, ...(halfOpen && { halfOpen }) }]),
  )
  for (const [system, bySection] of sections) {
    const calls = bySection.get('')
    if (!calls) continue
    const { total, degraded, latency } = calls
    systems.push({ system, ...(openStates.get(system) ?? { open: false }), calls: total, failed: degraded, latency })
  }
  for (const [system, state] of openStates)
    if (!systems.some((one) => one.system === system))
      systems.push({ system, ...state, calls: 0, failed: 0, latency: emptyLatencyHistogram() })
  return {
    tenant: merchant,
    mode,
    answers: answers.total,
    degraded: answers.degraded,
    systems,
    shown: [...impacts.values()].flat(),
  }
}
