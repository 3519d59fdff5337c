import { tenantKey } from '../../tenant.ts'
import { addLatencyHistogram, emptyLatencyHistogram } from '../counts/latency-histogram.ts'
import { mergeSectionImpact } from '../counts/time-bucket.ts'
import { getOrCreate } from '../get-or-create.ts'
import type { ProcessState, SectionImpact, SystemState, TenantState } from './process-state.ts'

/** The state of a tenant over several processes. */
export interface MergedTenantState {
  answers: number
  degraded: number
  systems: Map<string, MergedSystemState>
  impacts: Map<string, SectionImpact>
}

export interface MergedSystemState extends Omit<SystemState, 'open' | 'halfOpen'> {
  /** Number of processes whose circuit is open or half-open. */
  openIn: number
  halfOpenIn: number
}

/** Merges the states of several processes, by tenant key. */
export function mergeProcessStates(states: readonly ProcessState[]): Map<string, MergedTenantState> {
  const stateByTenant = new Map<string, MergedTenantState>()
  const empty = (): MergedTenantState => ({ answers: 0, degraded: 0, systems: new Map(), impacts: new Map() })
  for (const { owners } of states)
    for (const tenant of owners)
      addTenantState(
        getOrCreate(stateByTenant, tenantKey({ merchant: tenant.tenant, mode: tenant.mode }), empty),
        tenant,
      )
  return stateByTenant
}

function addTenantState(sum: MergedTenantState, { answers, degraded, systems, shown }: TenantState): void {
  sum.answers += answers
  sum.degraded += degraded
  for (const { system, open, halfOpen = false, calls, failed, latency } of systems) {
    const empty = () => ({ system, openIn: 0, halfOpenIn: 0, calls: 0, failed: 0, latency: emptyLatencyHistogram() })
    const systemSum = getOrCreate(sum.systems, system, empty)
    systemSum.openIn += open ? 1 : 0
    systemSum.halfOpenIn += open && halfOpen ? 1 : 0
    systemSum.calls += calls
    systemSum.failed += failed
    addLatencyHistogram(systemSum.latency, latency)
  }
  for (const impact of shown) {
    const key = `${impact.route} ${impact.system} ${impact.section}`
    sum.impacts.set(key, mergeSectionImpact(sum.impacts.get(key), impact))
  }
}
