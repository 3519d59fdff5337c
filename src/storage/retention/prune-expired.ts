import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { type Poller, startPoller } from '../../lifecycle/poller.ts'
import { archiveOrders } from '../commerce/archive-orders.ts'
import { fillOrderNumbers } from '../commerce/fill-order-numbers.ts'
import type { Database } from '../database.ts'
import { diagnosticsPruneSteps } from '../diagnostics/prune-diagnostics.ts'
import { prunedImports, pruneImports } from '../imports/prune-imports.ts'
import { takeLease } from '../leases.ts'
import { deleteExpiredRows } from './delete-expired-rows.ts'
import { type ExpiringTable, retentionByTable } from './table-retention.ts'

const INTERVAL_MS = 60_000
/** Another process prunes when this one has not done so for that long. */
const LEASE_MS = 1.5 * INTERVAL_MS
const ROWS_PER_STEP = 200
/** Imported rows are small, and there are hundreds of thousands of them. */
const IMPORTED_ROWS_PER_STEP = 1_000
/** An order and its cart are large. */
const ORDERS_PER_STEP = 20
/** Enough for the rows that more than a thousand deliveries a second leave behind. */
const MAX_STEPS = 500

export interface PruneOptions {
  /** How long after its last change an order keeps its details; absent: forever. */
  orderDetailsMs?: number
}

/** Deletes expired rows of all tables, a few rows per statement so that other queries do not wait. */
export async function pruneExpired(db: Database, now: number, { orderDetailsMs }: PruneOptions = {}): Promise<number> {
  let pruned = 0
  if (orderDetailsMs !== undefined) {
    const before = new Date(now - orderDetailsMs).toISOString()
    pruned += await repeatStep(() => archiveOrders(db, before, ORDERS_PER_STEP), ORDERS_PER_STEP)
  }
  for (const table of Object.keys(retentionByTable) as ExpiringTable[])
    pruned += await repeatStep(() => deleteExpiredRows(db, table, now, ROWS_PER_STEP), ROWS_PER_STEP)
  for (const step of diagnosticsPruneSteps)
    pruned += await repeatStep(() => step(db, now, ROWS_PER_STEP), ROWS_PER_STEP)
  for (const imports of prunedImports)
    pruned += await repeatStep(() => pruneImports(db, imports, now, IMPORTED_ROWS_PER_STEP), 1)
  return pruned
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

export interface PruningParts extends PruneOptions {
  db: Database
  now: () => number
  onError: (error: unknown) => void
  /** `null`: rounds run only when `poll` is called. */
  intervalMs?: number | null
}

const LEASE = 'pruning'

/** Prunes, and numbers the orders of servers of the previous release, every minute until it is disposed, in one process of those that share the store. */
export function startPruning({ db, now, onError, intervalMs = INTERVAL_MS, ...options }: PruningParts): Poller {
  const holder = randomUUID()
  const instantIn = (ms: number) => new Date(now() + ms).toISOString()
  const round = async () => {
    const term = { now: instantIn(0), until: instantIn(LEASE_MS) }
    if (!(await takeLease(db, LEASE, holder, term))) return
    await repeatStep(() => fillOrderNumbers(db, ROWS_PER_STEP), ROWS_PER_STEP)
    await pruneExpired(db, now(), options)
  }
  return startPoller({ round, intervalMs, onError })
}
