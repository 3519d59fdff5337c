import type { Finding } from '../report.ts'
import { coldOf, type Form, hotOf } from './side-by-side.ts'
import { type Scope, stage } from './stage.ts'

/** What incidents, metrics and request records cost: with and without them, side by side. */
export async function diagnostics({ short }: Scope): Promise<Finding> {
  await using without = await stage({ unwatched: true })
  await using watched = await stage()
  const forms: Form[] = [
    { name: 'without', forecourt: without },
    { name: 'with diagnostics', forecourt: watched },
  ]
  const hot = await hotOf(forms, short)
  const cold = await coldOf(forms, short)
  return {
    name: 'diagnostics',
    tables: [hot.table, cold.table],
    figures: { hot: hot.figures, cold: cold.figures },
  }
}
