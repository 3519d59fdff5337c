import { setImmediate as breath } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import { deleteExpired, type Passing, passing } from '../storage/expired.ts'

const EVERY_MS = 60_000
const ROWS_A_STEP = 200
/** More than a thousand deliveries a second leave behind. */
const STEPS_A_ROUND = 500

/** Deletes what is past its time, a few rows at a step so that nobody waits for it. */
export async function prune(db: Database, now: number): Promise<number> {
  let pruned = 0
  for (const table of Object.keys(passing) as Passing[]) {
    for (let step = 0; step < STEPS_A_ROUND; step++) {
      const deleted = await deleteExpired(db, table, now, ROWS_A_STEP)
      pruned += deleted
      if (deleted < ROWS_A_STEP) break
      await breath()
    }
  }
  return pruned
}

/** Prunes every minute, until it is disposed. */
export function keepPruned(db: Database, now: () => number, onFailure: (error: unknown) => void): AsyncDisposable {
  let running: Promise<unknown> = Promise.resolve()
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = prune(db, now())
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
