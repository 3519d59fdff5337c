import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioResult } from '../report.ts'
import { type ScenarioOptions, startBenchEnvironment } from './bench-environment.ts'
import { compareColdReads, compareHotReads, type Variant } from './compare-variants.ts'

/** Longer than the interval in which diagnostics write. */
const FLUSH_WAIT_MS = 700

/** Measures the cost of incidents, metrics and request records, on and off in turn. */
export async function measureDiagnosticsCost({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startBenchEnvironment()
  // One process for both: two processes differ by more than the cost.
  const setObserving = (isObserving: boolean) => async () => {
    await forecourt.process.request<void>({ isObserving })
    // The counts of the previous round are written before this one starts.
    await pause(FLUSH_WAIT_MS)
  }
  const variants: Variant[] = [
    { name: 'without', forecourt, prepare: setObserving(false) },
    { name: 'with diagnostics', forecourt, prepare: setObserving(true) },
  ]
  const hot = await compareHotReads(variants, short)
  const cold = await compareColdReads(variants, short)
  return {
    name: 'diagnostics',
    tables: [hot.table, cold.table],
    figures: { hot: hot.figures, cold: cold.figures },
  }
}
