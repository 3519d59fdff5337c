import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { expectedProcessBytes } from './heap-limit.ts'
import type { Metrics } from './metrics.ts'

export interface CircuitAndCacheSources {
  upstreams: Pick<UpstreamRegistry, 'states' | 'bytes'>
  responses: { readonly bytes: number }
  /** The configured limit of all caches together. */
  cacheBytes: number
  hasMirrors: boolean
}

const CIRCUIT = ['merchant', 'mode', 'system', 'circuit', 'state'] as const
const states = ['closed', 'open', 'half-open'] as const

/** Registers the metrics of this process's circuits, caches and memory. */
export function registerCircuitAndCacheMetrics(
  metrics: Metrics,
  { upstreams, responses, cacheBytes, hasMirrors }: CircuitAndCacheSources,
): void {
  metrics.gauge('forecourt_section_cache_bytes', 'Size of the section cache, in bytes', () => upstreams.bytes)
  metrics.gauge('forecourt_response_cache_bytes', 'Size of the response cache, in bytes', () => responses.bytes)
  metrics.gauge(
    'forecourt_memory_bound_bytes',
    'Expected maximum memory of the process, in bytes: the cache limit plus 200 MB, and 150 MB more with mirrors',
    () => expectedProcessBytes(cacheBytes, hasMirrors),
  )
  metrics.gauges(
    'forecourt_breaker_state',
    'Circuit states: 1 for the current state of a circuit, 0 for its other states',
    CIRCUIT,
    () =>
      upstreams.states().flatMap(({ merchant, mode, system, circuit, state: current }) =>
        states.map((state) => ({
          labels: { merchant, mode, system, circuit, state },
          value: Number(state === current),
        })),
      ),
  )
  metrics.gauges(
    'forecourt_breaker_held',
    'Circuits that an operator holds: 1 for each, with the held state, or `maintenance`',
    CIRCUIT,
    () =>
      upstreams
        .states()
        .flatMap(({ merchant, mode, system, circuit, held }) =>
          held ? [{ labels: { merchant, mode, system, circuit, state: toHeldState(held) }, value: 1 }] : [],
        ),
  )
}

const toHeldState = ({ state, isMaintenance }: { state: string; isMaintenance?: boolean }) =>
  isMaintenance ? 'maintenance' : state
