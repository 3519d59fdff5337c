import type { Registry } from 'prom-client'
import { LATENCY_BOUNDS_MS } from '../storage/diagnostics/diagnostics-tables.ts'
import type { CallTrace } from '../upstream/call-trace.ts'
import { createCounts } from './labelled-counter.ts'
import { createDurations } from './duration-histogram.ts'
import type { MerchantLabel } from './merchant-label.ts'

const LINE_BOUNDS_MS = [1, 5, 10, 25, 50, 100, 200, 350, 700, 1_000, 2_000]
const LABELS = ['merchant', 'mode', 'system'] as const

export interface UpstreamMetrics {
  called(owner: string, call: CallTrace): void
  turned(owner: string, system: string, state: 'open' | 'closed'): void
}

/** Calls to the merchants' systems, and what their circuits did. */
export function createUpstreamMetrics(registry: Registry, merchantOf: MerchantLabel): UpstreamMetrics {
  const calls = createCounts(registry, {
    name: 'forecourt_upstream_calls_total',
    help: 'Upstream calls, by merchant, mode, system and outcome',
    labels: [...LABELS, 'outcome'],
  })
  const retries = createCounts(registry, {
    name: 'forecourt_upstream_retries_total',
    help: 'Upstream calls that were sent again',
    labels: LABELS,
  })
  const turns = createCounts(registry, {
    name: 'forecourt_breaker_turns_total',
    help: 'How often a circuit opened, and closed again',
    labels: [...LABELS, 'state'],
  })
  const durations = createDurations(registry, {
    name: 'forecourt_upstream_call_seconds',
    help: 'Time of upstream calls that were sent and waited for, with their wait in line',
    labels: LABELS,
    boundsMs: LATENCY_BOUNDS_MS,
  })
  const lines = createDurations(registry, {
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
    retries.of(merchant, mode, system)
    for (const state of ['open', 'closed']) turns.of(merchant, mode, system, state)
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
    called(owner, { system, outcome, attempts, ms, queuedMs, background }) {
      const [merchant, mode] = labelsOf(owner)
      begin(merchant, mode, system)
      calls.add(merchant, mode, system, outcome)
      if (attempts > 1) retries.of(merchant, mode, system).count += attempts - 1
      // Pages of changes and pictures take long and may: at night they would be most of what there is, and the system look slow.
      if (ms === null || background) return
      // A call that an open circuit turned away says nothing of how long the system takes.
      if (attempts > 0) durations(merchant, mode, system).record(ms)
      if (outcome !== 'circuit_open') lines(merchant, mode, system).record(queuedMs)
    },
    turned(owner, system, state) {
      turns.add(...labelsOf(owner), system, state)
    },
  }
}
