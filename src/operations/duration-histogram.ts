import type { Metric, Registry } from 'prom-client'

/** The series of one set of label values. */
export interface DurationSeries {
  record(ms: number): void
}

export interface DurationHistogramOptions {
  name: string
  help: string
  labels: readonly string[]
  /** Upper bounds of the buckets, ascending. */
  boundsMs: readonly number[]
}

interface HistogramSeries extends DurationSeries {
  values: readonly string[]
  /** One count per bound, and one above the last; each duration is counted in one bucket only. */
  counts: number[]
  sumMs: number
}

/** A histogram in seconds that prom-client renders. Recording only adds to an array, because every request does it. */
export function createDurationHistogram(
  registry: Registry,
  options: DurationHistogramOptions,
): (...values: string[]) => DurationSeries {
  const { name, help, labels, boundsMs } = options
  const seriesByKey = new Map<string, HistogramSeries>()

  function createSeries(values: string[]): HistogramSeries {
    const series: HistogramSeries = {
      values,
      counts: new Array<number>(boundsMs.length + 1).fill(0),
      sumMs: 0,
      record(ms) {
        let bucket = 0
        while (bucket < boundsMs.length && ms > boundsMs[bucket]!) bucket += 1
        series.counts[bucket]! += 1
        series.sumMs += ms
      },
    }
    seriesByKey.set(values.join('\n'), series)
    return series
  }

  function samples({ values, counts, sumMs }: HistogramSeries) {
    const seriesLabels = Object.fromEntries(labels.map((label, position) => [label, values[position]!]))
    let cumulative = 0
    const buckets = counts.map((count, bucket) => {
      cumulative += count
      const le = bucket < boundsMs.length ? boundsMs[bucket]! / 1_000 : '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...seriesLabels, le }, value: cumulative }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: seriesLabels, value: sumMs / 1_000 },
      { metricName: `${name}_count`, labels: seriesLabels, value: cumulative },
    ]
  }

  // The part of prom-client's Metric that a registry reads.
  const metric = {
    name,
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...seriesByKey.values()].flatMap(samples),
    }),
    reset: () => seriesByKey.clear(),
  }
  registry.registerMetric(metric as unknown as Metric)
  return (...values) => seriesByKey.get(values.join('\n')) ?? createSeries(values)
}
