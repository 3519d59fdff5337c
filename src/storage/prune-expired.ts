import { setImmediate as breath } from 'node:timers/promises'
import type { Database } from './database.ts'
import { diagnosticsPruneSteps } from './diagnostics/prune-diagnostics.ts'
import { deleteExpiredRows, type ExpiringTable, retentionByTable } from './expired-rows.ts'
import { pruneFitmentImports } from './fitment/prune-fitment-imports.ts'

const EVERY_MS = 60_000
const ROWS_A_STEP = 200
/** They are small, and come by the hundred thousand. */
const FITMENTS_A_STEP = 1_000
/** More than a thousand deliveries a second leave behind. */
const STEPS_A_ROUND = 500

/** Deletes what is past its time, a few rows at a step so that nobody waits for it. */
export async function pruneExpired(db: Database, now: number): Promise<number> {
  let pruned = 0
  for (const table of Object.keys(retentionByTable) as ExpiringTable[])
    pruned += await inSteps(() => deleteExpiredRows(db, table, now, ROWS_A_STEP), ROWS_A_STEP)
  for (const step of diagnosticsPruneSteps) pruned += await inSteps(() => step(db, now, ROWS_A_STEP), ROWS_A_STEP)
  return pruned + (await inSteps(() => pruneFitmentImports(db, now, FITMENTS_A_STEP), 1))
}

/** Until a step finds fewer rows than that. */
async function inSteps(step: () => Promise<number>, fewest: number): Promise<number> {
  let pruned = 0
  for (let taken = 0; taken < STEPS_A_ROUND; taken++) {
    const deleted = await step()
    pruned += deleted
    await breath()
    if (deleted < fewest) break
  }
  return pruned
}

/** Prunes every minute, until it is disposed. */
export function startPruning(db: Database, now: () => number, onFailure: (error: unknown) => void): AsyncDisposable {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = pruneExpired(db, now())
      .catch(onFailure)
      .finally(() => {
        busy = false
      })
  }, EVERY_MS).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
