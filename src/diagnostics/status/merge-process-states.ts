import { addLatencies, noLatencies } from '../counts/latency-histogram.ts'
import type { OwnerState, ProcessState, ShownState, SystemState } from './process-state.ts'
import { addShown } from '../counts/time-bucket.ts'
import { made } from '../counts/tally.ts'

/** What several processes tell of a merchant. */
export interface OwnerSum {
  answers: number
  degraded: number
  systems: Map<string, SystemSum>
  shown: Map<string, ShownState>
}

export interface SystemSum extends Omit<SystemState, 'open'> {
  /** Processes whose circuit is open. */
  openIn: number
}

/** By "acme/live". */
export function addedUp(states: readonly ProcessState[]): Map<string, OwnerSum> {
  const sums = new Map<string, OwnerSum>()
  const empty = (): OwnerSum => ({ answers: 0, degraded: 0, systems: new Map(), shown: new Map() })
  for (const { owners } of states)
    for (const owner of owners) add(made(sums, `${owner.tenant}/${owner.mode}`, empty), owner)
  return sums
}

function add(to: OwnerSum, { answers, degraded, systems, shown }: OwnerState): void {
  to.answers += answers
  to.degraded += degraded
  for (const { system, open, calls, failed, latency } of systems) {
    const empty = () => ({ system, openIn: 0, calls: 0, failed: 0, latency: noLatencies() })
    const sum = made(to.systems, system, empty)
    sum.openIn += open ? 1 : 0
    sum.calls += calls
    sum.failed += failed
    addLatencies(sum.latency, latency)
  }
  for (const one of shown) {
    const name = `${one.route} ${one.system} ${one.section}`
    to.shown.set(name, addShown(to.shown.get(name), one))
  }
}
