import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from './version.ts'

/** How often the delay of the event loop is measured. */
export const RESOLUTION_MS = 50
/** prom-client's own measurement, which is not used, rarely wakes up. */
const UNUSED_RESOLUTION_MS = 3_600_000
/** Scrapes within this time read the same delay: two Prometheus servers would otherwise each see half of it. */
const DELAY_TTL_MS = 5_000
const PERCENTILES = [50, 99, 100]

let processRegistry: Registry | undefined

/** Registers the metrics of this process: Node's own, the release, and the load and delay of the event loop. */
export function registerProcessMetrics(registry: Registry): void {
  processRegistry ??= createProcessRegistry()
  for (const metric of processRegistry.getMetricsAsArray())
    registry.registerMetric(processRegistry.getSingleMetric(metric.name)!)
}

/** Created once: its observers of garbage collections and of the event loop cannot be stopped, and would keep each registry in memory. */
function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: UNUSED_RESOLUTION_MS })
  // Node's own delays include the measuring interval, so they show a lag that does not exist. The gauge below replaces them.
  for (const name of ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag${name}_seconds`)
  // Gauges with names of counters.
  for (const kind of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  new Gauge({
    name: 'forecourt_build_info',
    help: 'Version of the running release',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  new Counter({
    name: 'forecourt_event_loop_busy_seconds_total',
    help: 'Seconds that the event loop was busy; the rate is the share of one core',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(performance.eventLoopUtilization().active / 1_000)
    },
  })
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const readDelays = createDelayReader(delays)
  new Gauge({
    name: 'forecourt_event_loop_delay_seconds',
    help: 'Delay of the event loop since the previous scrape, in seconds, by percentile (100: the maximum)',
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      for (const [percentile, seconds] of readDelays()) this.set({ percentile }, seconds)
    },
  })
  return registry
}

/** Returns the delays since the previous read, without the interval at which they are measured. */
export function createDelayReader(
  delays: Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'percentile' | 'reset'>,
): () => [percentile: string, seconds: number][] {
  let last: [string, number][] = PERCENTILES.map((at) => [String(at), 0])
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt < DELAY_TTL_MS || delays.count === 0) return last
    readAt = performance.now()
    last = PERCENTILES.map((at) => [String(at), Math.max(0, delays.percentile(at) / 1e9 - RESOLUTION_MS / 1_000)])
    delays.reset()
    return last
  }
}
