import type { Finding } from '../report.ts'
import { coldOf, type Form, hotOf } from './side-by-side.ts'
import { type Scope, stage } from './stage.ts'

/** What incidents, metrics and request records cost: with and without them, side by side. */
export async function diagnostics({ short }: Scope): Promise<Finding> {
  await using forecourt = await stage()
  // One process, with and without in turn: what differs from process to process is more than what is measured.
  const watch = (watched: boolean) => () => forecourt.process.ask<void>({ watched })
  const forms: Form[] = [
    { name: 'without', forecourt, enter: watch(false) },
    { name: 'with diagnostics', forecourt, enter: watch(true) },
  ]
  const hot = await hotOf(forms, short)
  const cold = await coldOf(forms, short)
  return {
    name: 'diagnostics',
    tables: [hot.table, cold.table],
    figures: { hot: hot.figures, cold: cold.figures },
  }
}
