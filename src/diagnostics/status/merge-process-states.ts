import { addLatencyHistogram, emptyLatencyHistogram } from '../counts/latency-histogram.ts'
import { getOrCreate } from '../counts/tally.ts'
import { mergeSectionImpact } from '../counts/time-bucket.ts'
import type { ProcessState, SectionImpact, SystemState, TenantState } from './process-state.ts'

/** What several processes tell of a merchant. */
export interface MergedTenantState {
  answers: number
  degraded: number
  systems: Map<string, MergedSystemState>
  shown: Map<string, SectionImpact>
}

export interface MergedSystemState extends Omit<SystemState, 'open'> {
  /** Processes whose circuit is open. */
  openIn: number
}

/** By "acme/live". */
export function mergeProcessStates(states: readonly ProcessState[]): Map<string, MergedTenantState> {
  const sums = new Map<string, MergedTenantState>()
  const empty = (): MergedTenantState => ({ answers: 0, degraded: 0, systems: new Map(), shown: new Map() })
  for (const { owners } of states)
    for (const owner of owners) add(getOrCreate(sums, `${owner.tenant}/${owner.mode}`, empty), owner)
  return sums
}

function add(to: MergedTenantState, { answers, degraded, systems, shown }: TenantState): void {
  to.answers += answers
  to.degraded += degraded
  for (const { system, open, calls, failed, latency } of systems) {
    const empty = () => ({ system, openIn: 0, calls: 0, failed: 0, latency: emptyLatencyHistogram() })
    const sum = getOrCreate(to.systems, system, empty)
    sum.openIn += open ? 1 : 0
    sum.calls += calls
    sum.failed += failed
    addLatencyHistogram(sum.latency, latency)
  }
  for (const one of shown) {
    const name = `${one.route} ${one.system} ${one.section}`
    to.shown.set(name, mergeSectionImpact(to.shown.get(name), one))
  }
}
