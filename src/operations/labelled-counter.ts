import { Counter, type Registry } from 'prom-client'
import { getOrCreate } from '../diagnostics/get-or-create.ts'

/** The series of one set of label values; hot code holds on to it. */
export interface CounterSeries {
  count: number
}

export interface LabelledCounter {
  /** Returns the series of these label values, in the order of the labels. */
  series(...values: string[]): CounterSeries
  increment(...values: string[]): void
}

/** No counter comes near. Series beyond are counted as one, so that memory and scrapes stay bounded. */
const MAX_SERIES = 5_000

/** One map per label: a lookup in each costs a tenth of building one key from all values. */
type Level = Map<string, Level | LabelledSeries>
interface LabelledSeries extends CounterSeries {
  values: readonly string[]
}

/** A counter with labels at the cost of map lookups; one of prom-client would slow down every request. */
export function createLabelledCounter(
  registry: Registry,
  { name, help, labels }: { name: string; help: string; labels: readonly string[] },
): LabelledCounter {
  const root: Level = new Map()
  const allSeries: LabelledSeries[] = []
  const overflowValues = labels.map(() => 'other')
  const lastLabel = labels.length - 1

  function findOrCreate(...values: string[]): CounterSeries {
    let level = root
    for (let at = 0; at < lastLabel; at++) {
      const next = level.get(values[at]!) as Level | undefined
      if (!next) return createSeries(values)
      level = next
    }
    return (level.get(values[lastLabel]!) as LabelledSeries | undefined) ?? createSeries(values)
  }

  function createSeries(values: string[]): CounterSeries {
    if (allSeries.length >= MAX_SERIES && values[0] !== overflowValues[0]) return findOrCreate(...overflowValues)
    let level = root
    for (const value of values.slice(0, -1)) level = getOrCreate(level, value, () => new Map()) as Level
    const series = { values, count: 0 }
    level.set(values[lastLabel]!, series)
    allSeries.push(series)
    return series
  }

  new Counter({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    collect() {
      this.reset()
      for (const { values, count } of allSeries)
        this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at]!])), count)
    },
  })
  return {
    series: findOrCreate,
    increment(...values) {
      findOrCreate(...values).count += 1
    },
  }
}
