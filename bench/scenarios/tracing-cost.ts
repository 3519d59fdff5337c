import { type ScenarioResult, toFiguresTable } from '../report.ts'
import { startSystem } from '../systems/spawn-process.ts'
import { type ScenarioOptions, startBenchEnvironment } from './bench-environment.ts'
import { compareColdReads, compareHotReads, type Variant } from './compare-variants.ts'

/** What spans cost: none, of one request in ten, and of all, handed to a collector on the core of the load. */
export async function measureTracingCost({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using collector = await startSystem<{ endpoint: string }>('otlp-collector.ts', {}, 'load')
  const { endpoint } = collector.ready
  await using off = await startBenchEnvironment()
  await using tenth = await startBenchEnvironment({ tracing: { endpoint, sample: 0.1 } })
  await using all = await startBenchEnvironment({ tracing: { endpoint, sample: 1 } })
  const forms: Variant[] = [
    { name: 'off', forecourt: off },
    { name: 'sample 0.1', forecourt: tenth },
    { name: 'sample 1', forecourt: all },
  ]
  const hot = await compareHotReads(forms, short)
  const cold = await compareColdReads(forms, short)
  const collected = await collector.ask<{ batches: number; bytes: number }>({})
  return {
    name: 'tracing',
    tables: [hot.table, cold.table, toFiguresTable('What the collector had', collected)],
    figures: { hot: hot.figures, cold: cold.figures, collected },
  }
}
