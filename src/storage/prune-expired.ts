import { setImmediate as nextTick } from 'node:timers/promises'
import { startPoller } from '../lifecycle/poller.ts'
import type { Database } from './database.ts'
import { diagnosticsPruneSteps } from './diagnostics/prune-diagnostics.ts'
import { deleteExpiredRows, type ExpiringTable, retentionByTable } from './expired-rows.ts'
import { pruneFitmentImports } from './fitment/prune-fitment-imports.ts'

const INTERVAL_MS = 60_000
const ROWS_PER_STEP = 200
/** Fitment rows are small, and there are hundreds of thousands of them. */
const FITMENTS_PER_STEP = 1_000
/** Enough for the rows that more than a thousand deliveries a second leave behind. */
const MAX_STEPS = 500

/** Deletes expired rows of all tables, a few rows per statement so that other queries do not wait. */
export async function pruneExpired(db: Database, now: number): Promise<number> {
  let pruned = 0
  for (const table of Object.keys(retentionByTable) as ExpiringTable[])
    pruned += await repeatStep(() => deleteExpiredRows(db, table, now, ROWS_PER_STEP), ROWS_PER_STEP)
  for (const step of diagnosticsPruneSteps)
    pruned += await repeatStep(() => step(db, now, ROWS_PER_STEP), ROWS_PER_STEP)
  return pruned + (await repeatStep(() => pruneFitmentImports(db, now, FITMENTS_PER_STEP), 1))
}

/** Repeats a step until it deletes fewer than `minimum` rows. */
async function repeatStep(step: () => Promise<number>, minimum: number): Promise<number> {
  let pruned = 0
  for (let count = 0; count < MAX_STEPS; count++) {
    const deleted = await step()
    pruned += deleted
    await nextTick()
    if (deleted < minimum) break
  }
  return pruned
}

/** Prunes every minute until it is disposed. */
export function startPruning(db: Database, now: () => number, onError: (error: unknown) => void): AsyncDisposable {
  const round = async () => void (await pruneExpired(db, now()))
  return startPoller({ round, intervalMs: INTERVAL_MS, onError })
}
