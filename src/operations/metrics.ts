import { Counter, Gauge, Registry } from 'prom-client'
import type { FinishedRequest } from '../diagnostics/finished-request.ts'
import { createDurationHistogram, type DurationHistogramOptions, type DurationSeries } from './duration-histogram.ts'
import { createMerchantLabel } from './merchant-label.ts'
import type { MetricReport } from './metric-report.ts'
import { createProblemMetrics } from './problem-and-checkout-metrics.ts'
import { registerProcessMetrics } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { createSectionMetrics } from './section-metrics.ts'
import { createUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics.ts'

/** One value of a gauge with labels. */
export interface GaugeReading {
  labels: Readonly<Record<string, string>>
  value: number
}

export interface GaugeOptions {
  /** All workers of a server report the same, so the server reports it once. */
  isShared?: boolean
}

export interface Metrics extends UpstreamMetrics {
  /** Counts one request; cheap enough for every one. */
  countRequest(request: FinishedRequest): void
  /** Registers a gauge; a scrape leaves it out when it cannot be read. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Registers a gauge with labels, which have few values each. */
  gauges(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => GaugeReading[] | Promise<GaugeReading[]>,
    options?: GaugeOptions,
  ): void
  /** Registers a counter with one label, which has few values. */
  counter(name: string, help: string, label: string): (value: string) => void
  /** Registers a counter with labels, which have few values each. */
  counters(
    name: string,
    help: string,
    labels: readonly string[],
  ): (values: Readonly<Record<string, string>>, count?: number) => void
  /** Registers a histogram of durations, with labels that have few values. */
  durations(options: DurationHistogramOptions): (...values: string[]) => DurationSeries
  /** Prometheus text. */
  text(): Promise<string>
  /** The same for another process. */
  report(): Promise<MetricReport>
}

/**
 * Metrics for Prometheus: counts and durations of what this process did since it started, for alerts and dashboards over all processes.
 * They observe requests, their sections and problems, upstream calls, circuits, caches, the process itself and the work that waits in the
 * store. `merchants`: the configured ones; no other name becomes a label.
 */
export function createMetrics({ merchants }: { merchants: readonly string[] }): Metrics {
  const registry = new Registry()
  const merchantOf = createMerchantLabel(merchants)
  const countRequest = createRequestMetrics(registry, merchantOf)
  const countProblems = createProblemMetrics(registry, merchantOf, merchants)
  const countSections = createSectionMetrics(registry, merchantOf)
  registerProcessMetrics(registry)

  const gauges: Metrics['gauges'] = (name, help, labels, read, { isShared = false } = {}) => {
    new Gauge({
      name,
      help,
      aggregator: isShared ? 'max' : 'sum',
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const readings = await readOrNone(read)
        this.reset()
        // A gauge without labels would read 0 after a reset.
        if (labels.length === 0) this.remove()
        for (const { labels: readingLabels, value } of readings) this.set({ ...readingLabels }, value)
      },
    })
  }

  return {
    ...createUpstreamMetrics(registry, merchantOf),
    countRequest(request) {
      countRequest(request)
      countProblems(request)
      countSections(request)
    },
    gauges,
    gauge: (name, help, read) => gauges(name, help, [], async () => [{ labels: {}, value: await read() }]),
    counter(name, help, label) {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
      return (value) => counter.inc({ [label]: value })
    },
    counters(name, help, labels) {
      const counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] })
      return (values, count = 1) => counter.inc({ ...values }, count)
    },
    durations: (options) => createDurationHistogram(registry, options),
    text: () => registry.metrics(),
    report: () => registry.getMetricsAsJSON() as Promise<MetricReport>,
  }
}

/** Returns no readings when a reader fails: the other metrics of the scrape are still returned. */
async function readOrNone(read: () => GaugeReading[] | Promise<GaugeReading[]>): Promise<GaugeReading[]> {
  try {
    return await read()
  } catch {
    return []
  }
}
