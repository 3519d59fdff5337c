import type { Metric, Registry } from 'prom-client'

/** One series of times. */
export interface DurationSeries {
  record(ms: number): void
}

export interface DurationHistogramOptions {
  name: string
  help: string
  labels: readonly string[]
  /** Upper bounds of the buckets, rising. */
  boundsMs: readonly number[]
}

interface Kept extends DurationSeries {
  values: readonly string[]
  /** One for each bound, and one for what is above; each time is counted in one alone. */
  buckets: number[]
  sumMs: number
}

/** A histogram in seconds. prom-client renders it; recording is an addition to an array, since it is done for every request. */
export function createDurationHistogram(
  registry: Registry,
  options: DurationHistogramOptions,
): (...values: string[]) => DurationSeries {
  const { name, help, labels, boundsMs } = options
  const all = new Map<string, Kept>()

  function opened(values: string[]): Kept {
    const kept: Kept = {
      values,
      buckets: new Array<number>(boundsMs.length + 1).fill(0),
      sumMs: 0,
      record(ms) {
        let at = 0
        while (at < boundsMs.length && ms > boundsMs[at]!) at += 1
        kept.buckets[at]! += 1
        kept.sumMs += ms
      },
    }
    all.set(values.join('\n'), kept)
    return kept
  }

  function samples({ values, buckets, sumMs }: Kept) {
    const given = Object.fromEntries(labels.map((label, at) => [label, values[at]!]))
    let below = 0
    const rows = buckets.map((count, at) => {
      below += count
      const le = at < boundsMs.length ? boundsMs[at]! / 1_000 : '+Inf'
      return { metricName: `${name}_bucket`, labels: { ...given, le }, value: below }
    })
    return [
      ...rows,
      { metricName: `${name}_sum`, labels: given, value: sumMs / 1_000 },
      { metricName: `${name}_count`, labels: given, value: below },
    ]
  }

  // What a registry asks of a metric; prom-client's own histogram takes one observation at a time.
  const metric = {
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: [...all.values()].flatMap(samples) }),
    reset: () => all.clear(),
  }
  registry.registerMetric(metric as unknown as Metric)
  return (...values) => all.get(values.join('\n')) ?? opened(values)
}
