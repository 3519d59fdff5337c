import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { expectedProcessBytes } from './memory-limit.ts'
import type { Metrics } from './metrics.ts'

export interface CircuitAndCacheSources {
  upstreams: Pick<UpstreamRegistry, 'states' | 'bytes'>
  responses: { readonly bytes: number }
  /** As configured, of all caches together. */
  cacheBytes: number
}

const CIRCUIT = ['merchant', 'mode', 'system', 'state'] as const
const states = ['closed', 'open', 'half-open'] as const

/** This process's circuits, caches and memory. */
export function registerCircuitAndCacheMetrics(
  metrics: Metrics,
  { upstreams, responses, cacheBytes }: CircuitAndCacheSources,
): void {
  metrics.gauge('forecourt_section_cache_bytes', 'Bytes kept of sections', () => upstreams.bytes)
  metrics.gauge('forecourt_response_cache_bytes', 'Bytes kept of answers', () => responses.bytes)
  metrics.gauge(
    'forecourt_memory_bound_bytes',
    'What the process takes at the most: its caches and what it needs beside',
    () => expectedProcessBytes(cacheBytes),
  )
  metrics.gauges(
    'forecourt_breaker_state',
    'Circuits: 1 for the state that each is in, 0 for the others',
    CIRCUIT,
    () =>
      upstreams
        .states()
        .flatMap(({ merchant, mode, system, state: now }) =>
          states.map((state) => ({ labels: { merchant, mode, system, state }, value: Number(state === now) })),
        ),
  )
  metrics.gauges('forecourt_breaker_held', 'Circuits that an operator holds: 1 for each', CIRCUIT, () =>
    upstreams
      .states()
      .flatMap(({ merchant, mode, system, held }) =>
        held ? [{ labels: { merchant, mode, system, state: held.state }, value: 1 }] : [],
      ),
  )
}
