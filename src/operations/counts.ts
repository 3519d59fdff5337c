import { Counter, type Registry } from 'prom-client'

/** One series: whoever counts often keeps it at hand. */
export interface Series {
  count: number
}

export interface Counts {
  /** The series of these label values, in the labels' order. */
  of(...values: string[]): Series
  add(...values: string[]): void
}

/** No set of labels here comes near; what would be more is counted together, so that memory and scrapes stay bounded whatever happens. */
const MOST_SERIES = 5_000

/** Counts by labels at the price of a map look-up: what a labelled counter costs would be felt by every request. */
export function createCounts(
  registry: Registry,
  { name, help, labels }: { name: string; help: string; labels: readonly string[] },
): Counts {
  const all = new Map<string, Series & { values: readonly string[] }>()
  const others = labels.map(() => 'other')

  function of(...values: string[]): Series {
    const key = values.join('\n')
    const known = all.get(key)
    if (known) return known
    if (all.size >= MOST_SERIES && values[0] !== others[0]) return of(...others)
    const series = { values, count: 0 }
    all.set(key, series)
    return series
  }

  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset()
      for (const { values, count } of all.values())
        this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at]!])), count)
    },
  })
  return {
    of,
    add(...values) {
      of(...values).count += 1
    },
  }
}
