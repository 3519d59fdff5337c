import { setTimeout as pause } from 'node:timers/promises'
import type { ScenarioResult } from '../report.ts'
import { type ScenarioOptions, startBenchEnvironment } from './bench-environment.ts'
import { compareColdReads, compareHotReads, type Variant } from './compare-variants.ts'

/** Longer than diagnostics wait before they write. */
const WRITTEN_MS = 700

/** What incidents, metrics and request records cost: with and without them, side by side. */
export async function measureDiagnosticsCost({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startBenchEnvironment()
  // One process, with and without in turn: what differs from process to process is more than what is measured.
  const watch = (watched: boolean) => async () => {
    await forecourt.process.ask<void>({ watched })
    // What was counted in the round before is written now, and not at the expense of this one.
    await pause(WRITTEN_MS)
  }
  const forms: Variant[] = [
    { name: 'without', forecourt, enter: watch(false) },
    { name: 'with diagnostics', forecourt, enter: watch(true) },
  ]
  const hot = await compareHotReads(forms, short)
  const cold = await compareColdReads(forms, short)
  return {
    name: 'diagnostics',
    tables: [hot.table, cold.table],
    figures: { hot: hot.figures, cold: cold.figures },
  }
}
