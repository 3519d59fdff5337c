import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

interface RouteCounts {
  byOutcome: Map<string, number>
  microseconds: RecordableHistogram
}

export interface Metrics {
  /** Counts one request: cheap enough for the hot path, where a labelled counter would cost as much as the answer. */
  count(route: string, status: number, cache: string, ms: number): void
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Counts by one label, of few values. */
  counter(name: string, help: string, label: string): (value: string) => void
  /** Prometheus text. */
  text(): Promise<string>
}

const QUANTILES = [50, 95, 99, 99.9]

export function createMetrics(): Metrics {
  const registry = new Registry()
  const routes = new Map<string, RouteCounts>()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  new Counter({
    name: 'forecourt_requests_total',
    help: 'Requests answered, by route, status and cache outcome',
    labelNames: ['route', 'status', 'cache'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [route, { byOutcome }] of routes) {
        for (const [outcome, count] of byOutcome) {
          const [status, cache] = outcome.split(' ')
          this.inc({ route, status: status!, cache: cache! }, count)
        }
      }
    },
  })
  new Gauge({
    name: 'forecourt_request_seconds',
    help: 'Time to answer since start, by route and quantile',
    labelNames: ['route', 'quantile'],
    registers: [registry],
    collect() {
      for (const [route, { microseconds }] of routes) {
        for (const at of QUANTILES) this.set({ route, quantile: String(at / 100) }, microseconds.percentile(at) / 1e6)
      }
    },
  })

  return {
    count(route, status, cache, ms) {
      let counts = routes.get(route)
      if (!counts) {
        counts = { byOutcome: new Map(), microseconds: createHistogram() }
        routes.set(route, counts)
      }
      const outcome = `${status} ${cache}`
      counts.byOutcome.set(outcome, (counts.byOutcome.get(outcome) ?? 0) + 1)
      counts.microseconds.record(Math.max(1, Math.round(ms * 1_000)))
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      })
    },
    counter(name, help, label) {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
      return (value) => counter.inc({ [label]: value })
    },
    text: () => registry.metrics(),
  }
}
