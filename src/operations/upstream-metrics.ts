import type { Registry } from 'prom-client'
import { LATENCY_BOUNDS_MS } from '../storage/diagnostics/diagnostics-tables.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { createDurationHistogram } from './duration-histogram.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

const LINE_BOUNDS_MS = [1, 5, 10, 25, 50, 100, 200, 350, 700, 1_000, 2_000]
const LABELS = ['merchant', 'mode', 'system'] as const

export interface UpstreamMetrics {
  countCall(owner: string, call: CallTrace): void
  countCircuitTransition(owner: string, system: string, state: 'open' | 'closed'): void
}

/** Calls to the merchants' systems, and what their circuits did. */
export function createUpstreamMetrics(registry: Registry, merchantOf: MerchantLabel): UpstreamMetrics {
  const calls = createLabelledCounter(registry, {
    name: 'forecourt_upstream_calls_total',
    help: 'Upstream calls, by merchant, mode, system and outcome',
    labels: [...LABELS, 'outcome'],
  })
  const retries = createLabelledCounter(registry, {
    name: 'forecourt_upstream_retries_total',
    help: 'Upstream calls that were sent again',
    labels: LABELS,
  })
  const turns = createLabelledCounter(registry, {
    name: 'forecourt_breaker_turns_total',
    help: 'How often a circuit opened, and closed again',
    labels: [...LABELS, 'state'],
  })
  const durations = createDurationHistogram(registry, {
    name: 'forecourt_upstream_call_seconds',
    help: 'Time of upstream calls that were sent and waited for, with their wait in line',
    labels: LABELS,
    boundsMs: LATENCY_BOUNDS_MS,
  })
  const lines = createDurationHistogram(registry, {
    name: 'forecourt_upstream_line_seconds',
    help: 'Time that upstream calls waited in line for a place',
    labels: LABELS,
    boundsMs: LINE_BOUNDS_MS,
  })
  const owners = new Map<string, readonly [merchant: string, mode: string]>()
  const begun = new Set<string>()

  /** With the first call: a series that is born with its first event has not risen, and nobody sees that one. */
  function begin(merchant: string, mode: string, system: string): void {
    const key = `${merchant} ${mode} ${system}`
    if (begun.has(key)) return
    begun.add(key)
    retries.series(merchant, mode, system)
    for (const state of ['open', 'closed']) turns.series(merchant, mode, system, state)
  }

  function labelsOf(owner: string): readonly [string, string] {
    const known = owners.get(owner)
    if (known) return known
    const [merchant, mode] = owner.split('/') as [string, string]
    const labels = [merchantOf(merchant), mode] as const
    owners.set(owner, labels)
    return labels
  }

  return {
    countCall(owner, { system, outcome, attempts, ms, queuedMs, background }) {
      const [merchant, mode] = labelsOf(owner)
      begin(merchant, mode, system)
      calls.increment(merchant, mode, system, outcome)
      if (attempts > 1) retries.series(merchant, mode, system).count += attempts - 1
      // Pages of changes and pictures take long and may: at night they would be most of what there is, and the system look slow.
      if (ms === null || background) return
      // A call that an open circuit turned away says nothing of how long the system takes.
      if (attempts > 0) durations(merchant, mode, system).record(ms)
      if (outcome !== 'circuit_open') lines(merchant, mode, system).record(queuedMs)
    },
    countCircuitTransition(owner, system, state) {
      turns.increment(...labelsOf(owner), system, state)
    },
  }
}
