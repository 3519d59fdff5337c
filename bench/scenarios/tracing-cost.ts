import { toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { spawnSystem } from '../systems/spawn-system.ts'
import { compareColdReads, compareHotReads, type Variant } from './compare-variants.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

/** Measures the cost of tracing: off, for one request in ten, and for all, with a collector on the other core. */
export async function measureTracingCost({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using collector = await spawnSystem<{ endpoint: string }>('otlp-collector.ts', {}, 'load')
  const { endpoint } = collector.ready
  await using off = await startForecourtWithStubs()
  await using tenth = await startForecourtWithStubs({ tracing: { endpoint, sample: 0.1 } })
  await using all = await startForecourtWithStubs({ tracing: { endpoint, sample: 1 } })
  const variants: Variant[] = [
    { name: 'off', forecourt: off },
    { name: 'sample 0.1', forecourt: tenth },
    { name: 'sample 1', forecourt: all },
  ]
  const hot = await compareHotReads(variants, short)
  const cold = await compareColdReads(variants, short)
  const collected = await collector.request<{ batches: number; bytes: number }>({})
  return {
    name: 'tracing',
    tables: [hot.table, cold.table, toFiguresTable('Received by the collector', collected)],
    figures: { hot: hot.figures, cold: cold.figures, collected },
  }
}
