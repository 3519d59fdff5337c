import { type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client'

/** The metrics of one process, as they can be sent to another one. */
export type MetricReport = MetricObjectWithValues<MetricValue<string>>[]

export interface WorkerReport {
  worker: number
  metrics: MetricReport
}

type ReportedMetric = MetricReport[number]

/** Counters of a process itself, such as its CPU time. */
const PROCESS_METRIC = /^(?:process|nodejs|forecourt_event_loop)_/

const isGauge = ({ type }: ReportedMetric) => String(type) === 'gauge'

/** A gauge that all workers report alike, such as a count in the store, has no label of its worker. */
const isPerWorker = (metric: ReportedMetric) =>
  isGauge(metric) ? metric.aggregator !== 'max' : PROCESS_METRIC.test(metric.name)

/** Adds the label `worker` to what belongs to one process: its memory, its event loop, its circuits. */
export function labelWorker({ worker, metrics }: WorkerReport): MetricReport {
  const label = (value: MetricValue<string>) => ({ ...value, labels: { ...value.labels, worker: String(worker) } })
  return metrics.map((metric) => (isPerWorker(metric) ? { ...metric, values: metric.values.map(label) } : metric))
}

/** Keeps what must not fall when a worker ends: its counters. Otherwise a rate over all workers would rise at each restart. */
export const keepCounters = (metrics: MetricReport): MetricReport => metrics.filter((metric) => !isGauge(metric))

/** Adds up counters and histograms. The latest report has the value of a gauge, unless all report it alike: then it is the largest. */
export function mergeReports(reports: readonly MetricReport[]): MetricReport {
  const merged = new Map<string, { metric: ReportedMetric; values: Map<string, MetricValue<string>> }>()
  for (const metric of reports.flat()) {
    const entry = merged.get(metric.name) ?? { metric, values: new Map() }
    merged.set(metric.name, entry)
    for (const value of metric.values) {
      const key = toSeriesKey(value)
      const known = entry.values.get(key)
      entry.values.set(key, known ? { ...value, value: combine(metric, known.value, value.value) } : value)
    }
  }
  return [...merged.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] }))
}

function combine(metric: ReportedMetric, known: number, value: number): number {
  if (!isGauge(metric)) return known + value
  return metric.aggregator === 'max' ? Math.max(known, value) : value
}

const toSeriesKey = ({ metricName, labels }: MetricValue<string> & { metricName?: string }) =>
  JSON.stringify([metricName, Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))])

/** Returns the metrics as Prometheus text. */
export function formatReport(metrics: MetricReport): Promise<string> {
  const registry = new Registry()
  for (const metric of metrics)
    registry.registerMetric({ ...metric, get: async () => metric } as unknown as Parameters<
      typeof registry.registerMetric
    >[0])
  return registry.metrics()
}
