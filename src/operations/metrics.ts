import { Counter, Gauge, Registry } from 'prom-client'
import type { RequestOutcome } from '../diagnostics/request-outcome.ts'
import { createMerchantLabel } from './merchant-label.ts'
import { registerProcessMetrics } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { createSectionMetrics } from './section-metrics.ts'
import { createUpstreamMetrics, type UpstreamMetrics } from './upstream-metrics.ts'

/** One value of a gauge with labels. */
export interface GaugeReading {
  labels: Readonly<Record<string, string>>
  value: number
}

export interface Metrics extends UpstreamMetrics {
  /** Counts one request: cheap enough for the hot path, where a labelled counter would cost as much as the answer. */
  countRequest(outcome: RequestOutcome): void
  /** One that cannot be read is left out of the scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** The same by labels, of few values each. */
  gauges(
    name: string,
    help: string,
    labels: readonly string[],
    read: () => GaugeReading[] | Promise<GaugeReading[]>,
  ): void
  /** Counts by one label, of few values. */
  counter(name: string, help: string, label: string): (value: string) => void
  /** Prometheus text. */
  text(): Promise<string>
}

/** `merchants`: of the configuration. No other name becomes a label. */
export function createMetrics({ merchants }: { merchants: readonly string[] }): Metrics {
  const registry = new Registry()
  const merchantOf = createMerchantLabel(merchants)
  const countRequest = createRequestMetrics(registry, merchantOf)
  const countSections = createSectionMetrics(registry, merchantOf, merchants)
  registerProcessMetrics(registry)

  const gauges: Metrics['gauges'] = (name, help, labels, read) => {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const readings = await attempted(read)
        this.reset()
        // Reset, one without labels would read 0.
        if (labels.length === 0) this.remove()
        for (const { labels: of, value } of readings) this.set({ ...of }, value)
      },
    })
  }

  return {
    ...createUpstreamMetrics(registry, merchantOf),
    countRequest(outcome) {
      countRequest(outcome)
      countSections(outcome)
    },
    gauges,
    gauge: (name, help, read) => gauges(name, help, [], async () => [{ labels: {}, value: await read() }]),
    counter(name, help, label) {
      const counter = new Counter({ name, help, labelNames: [label], registers: [registry] })
      return (value) => counter.inc({ [label]: value })
    },
    text: () => registry.metrics(),
  }
}

/** A scrape tells what it can. */
async function attempted(read: () => GaugeReading[] | Promise<GaugeReading[]>): Promise<GaugeReading[]> {
  try {
    return await read()
  } catch {
    return []
  }
}
