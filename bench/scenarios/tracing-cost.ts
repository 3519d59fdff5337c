import { type Finding, listed } from '../report.ts'
import { startSystem } from '../systems/spawn-process.ts'
import { coldOf, type Form, hotOf } from './compare-variants.ts'
import { type Scope, stage } from './bench-environment.ts'

/** What spans cost: none, of one request in ten, and of all, handed to a collector on the core of the load. */
export async function tracing({ short }: Scope): Promise<Finding> {
  await using collector = await startSystem<{ endpoint: string }>('otlp-collector.ts', {}, 'load')
  const { endpoint } = collector.ready
  await using off = await stage()
  await using tenth = await stage({ tracing: { endpoint, sample: 0.1 } })
  await using all = await stage({ tracing: { endpoint, sample: 1 } })
  const forms: Form[] = [
    { name: 'off', forecourt: off },
    { name: 'sample 0.1', forecourt: tenth },
    { name: 'sample 1', forecourt: all },
  ]
  const hot = await hotOf(forms, short)
  const cold = await coldOf(forms, short)
  const collected = await collector.ask<{ batches: number; bytes: number }>({})
  return {
    name: 'tracing',
    tables: [hot.table, cold.table, listed('What the collector had', collected)],
    figures: { hot: hot.figures, cold: cold.figures, collected },
  }
}
