import type { Registry } from 'prom-client'
import { type CircuitName, circuitsOf, toCircuitSystem } from '../ports/circuit-name.ts'
import { LATENCY_BOUNDS_MS } from '../storage/tables/diagnostics-tables.ts'
import type { Tenant } from '../tenant.ts'
import type { CallTrace } from '../upstream/request/call-trace.ts'
import { createDurationHistogram } from './duration-histogram.ts'
import { createLabelledCounter } from './labelled-counter.ts'
import type { MerchantLabel } from './merchant-label.ts'

const QUEUE_BOUNDS_MS = [1, 5, 10, 25, 50, 100, 200, 350, 700, 1_000, 2_000]
const LABELS = ['merchant', 'mode', 'system'] as const

export interface UpstreamMetrics {
  countCall(tenant: Tenant, call: CallTrace): void
  countCircuitTransition(tenant: Tenant, circuit: CircuitName, state: 'open' | 'closed'): void
}

/** Registers the metrics of calls to upstream systems, and of their circuits. */
export function createUpstreamMetrics(registry: Registry, merchantOf: MerchantLabel): UpstreamMetrics {
  const calls = createLabelledCounter(registry, {
    name: 'forecourt_upstream_calls_total',
    help: 'Upstream calls, by merchant, mode, system and outcome',
    labels: [...LABELS, 'outcome'],
  })
  const retries = createLabelledCounter(registry, {
    name: 'forecourt_upstream_retries_total',
    help: 'Retries of upstream calls, by merchant, mode and system',
    labels: LABELS,
  })
  const transitions = createLabelledCounter(registry, {
    name: 'forecourt_breaker_turns_total',
    help: 'Circuit transitions, by merchant, mode, system, circuit and new state (open or closed)',
    labels: [...LABELS, 'circuit', 'state'],
  })
  const durations = createDurationHistogram(registry, {
    name: 'forecourt_upstream_call_seconds',
    help: 'Duration of upstream calls that requests waited for, in seconds, including the time in the queue',
    labels: LABELS,
    boundsMs: LATENCY_BOUNDS_MS,
  })
  const queueTimes = createDurationHistogram(registry, {
    name: 'forecourt_upstream_line_seconds',
    help: 'Time that upstream calls waited in the queue, in seconds',
    labels: LABELS,
    boundsMs: QUEUE_BOUNDS_MS,
  })
  const initialized = new Set<string>()

  /** Creates the series of rare events with the first call: an alert on their rise would miss the event that creates a series. */
  function initialize(merchant: string, mode: string, system: string): void {
    const key = `${merchant} ${mode} ${system}`
    if (initialized.has(key)) return
    initialized.add(key)
    retries.series(merchant, mode, system)
    for (const circuit of circuitsOf(system))
      for (const state of ['open', 'closed']) transitions.series(merchant, mode, system, circuit, state)
  }

  return {
    countCall(tenant, { system, outcome, attempts, ms, queuedMs, background }) {
      const { mode } = tenant
      const merchant = merchantOf(tenant.merchant)
      initialize(merchant, mode, system)
      calls.increment(merchant, mode, system, outcome)
      if (attempts > 1) retries.series(merchant, mode, system).count += attempts - 1
      // Change pages and pictures may take long: at night they would be most calls, and the system would look slow.
      if (ms === null || background) return
      // A call that an open circuit rejected does not measure the system.
      if (attempts > 0) durations(merchant, mode, system).record(ms)
      if (outcome !== 'circuit_open' && outcome !== 'maintenance') queueTimes(merchant, mode, system).record(queuedMs)
    },
    countCircuitTransition({ merchant, mode }, circuit, state) {
      transitions.increment(merchantOf(merchant), mode, toCircuitSystem(circuit), circuit, state)
    },
  }
}
