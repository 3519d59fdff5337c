import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { version } from './version.ts'

/** How often the event loop is asked whether it is late. */
const RESOLUTION_MS = 50
/** Of the delay: whoever scrapes within it reads the same, so that two who scrape do not halve each other's. */
const BELIEVED_MS = 5_000
const PERCENTILES = [50, 99, 100]

/** This process: Node's own metrics, and how busy and how late its event loop is. */
export function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry })
  // Node's own delays have the length of the measuring step in them, and read as a lag that is none: ours are below.
  for (const name of ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag${name}_seconds`)
  // Gauges that are named as counters are.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  new Gauge({
    name: 'forecourt_build_info',
    help: 'The release that runs',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  new Counter({
    name: 'forecourt_event_loop_busy_seconds_total',
    help: 'Time that the event loop was at work: its rate is the share of one core',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(performance.eventLoopUtilization().active / 1_000)
    },
  })
  const read = createDelays()
  new Gauge({
    name: 'forecourt_event_loop_delay_seconds',
    help: 'How late the event loop was since the scrape before, by percentile; 100: at the most',
    labelNames: ['percentile'],
    registers: [registry],
    collect() {
      for (const [percentile, seconds] of read()) this.set({ percentile }, seconds)
    },
  })
}

function createDelays(): () => [percentile: string, seconds: number][] {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  let last: [string, number][] = PERCENTILES.map((at) => [String(at), 0])
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - readAt < BELIEVED_MS || delays.count === 0) return last
    readAt = performance.now()
    last = PERCENTILES.map((at) => [String(at), Math.max(0, delays.percentile(at) / 1e9 - RESOLUTION_MS / 1_000)])
    delays.reset()
    return last
  }
}
