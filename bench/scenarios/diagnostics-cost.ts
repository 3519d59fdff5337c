import { setTimeout as pause } from 'node:timers/promises'
import type { Observer } from '../../src/runtime/observability.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { compareColdReads, compareHotReads, type Variant } from './compare-variants.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

/** Longer than the interval in which diagnostics write. */
const FLUSH_WAIT_MS = 700

/** Measures the cost of metrics, and of incidents and request records beside them, on and off in turn. */
export async function measureDiagnosticsCost({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs()
  // One process for all: two processes differ by more than the cost.
  const observedBy = (name: string, observers: readonly Observer[]): Variant => ({
    name,
    forecourt,
    prepare: async () => {
      await forecourt.process.request<void>({ observers })
      // The counts of the previous round are written before this one starts.
      await pause(FLUSH_WAIT_MS)
    },
  })
  const variants: Variant[] = [
    observedBy('metrics only', ['metrics']),
    observedBy('with diagnostics', ['metrics', 'diagnostics']),
    observedBy('neither', []),
  ]
  const hot = await compareHotReads(variants, short)
  const cold = await compareColdReads(variants, short)
  return {
    name: 'diagnostics',
    tables: [hot.table, cold.table],
    figures: { hot: hot.figures, cold: cold.figures },
  }
}
