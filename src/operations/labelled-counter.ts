import { Counter, type Registry } from 'prom-client'
import { getOrCreate } from '../diagnostics/counts/tally.ts'

/** One series: whoever counts often keeps it at hand. */
export interface CounterSeries {
  count: number
}

export interface LabelledCounter {
  /** The series of these label values, in the labels' order. */
  series(...values: string[]): CounterSeries
  increment(...values: string[]): void
}

/** No set of labels here comes near; what would be more is counted together, so that memory and scrapes stay bounded whatever happens. */
const MOST_SERIES = 5_000

/** A look-up for each label costs a tenth of making one key of them all. */
type Level = Map<string, Level | Kept>
interface Kept extends CounterSeries {
  values: readonly string[]
}

/** Counts by labels at the price of map look-ups: what a labelled counter costs would be felt by every request. */
export function createLabelledCounter(
  registry: Registry,
  { name, help, labels }: { name: string; help: string; labels: readonly string[] },
): LabelledCounter {
  const first: Level = new Map()
  const all: Kept[] = []
  const others = labels.map(() => 'other')
  const last = labels.length - 1

  function of(...values: string[]): CounterSeries {
    let level = first
    for (let at = 0; at < last; at++) {
      const next = level.get(values[at]!) as Level | undefined
      if (!next) return opened(values)
      level = next
    }
    return (level.get(values[last]!) as Kept | undefined) ?? opened(values)
  }

  function opened(values: string[]): CounterSeries {
    if (all.length >= MOST_SERIES && values[0] !== others[0]) return of(...others)
    let level = first
    for (const value of values.slice(0, -1)) level = getOrCreate(level, value, () => new Map()) as Level
    const series = { values, count: 0 }
    level.set(values[last]!, series)
    all.push(series)
    return series
  }

  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset()
      for (const { values, count } of all)
        this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at]!])), count)
    },
  })
  return {
    series: of,
    increment(...values) {
      of(...values).count += 1
    },
  }
}
