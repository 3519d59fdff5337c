import type { Database } from '../storage/database.ts'
import {
  countDueDeliveries,
  countEndpointsByStatus,
  countOpenIncidents,
  countPendingOrders,
} from '../storage/diagnostics/store-counts.ts'

/** What the store tells of what waits in it. */
export interface StoreSnapshot {
  orders: Awaited<ReturnType<typeof countPendingOrders>>
  deliveries: Awaited<ReturnType<typeof countDueDeliveries>>
  endpoints: Awaited<ReturnType<typeof countEndpointsByStatus>>
  incidents: Awaited<ReturnType<typeof countOpenIncidents>>
}

/** Several gauges ask for it in one scrape, and several may scrape. */
const BELIEVED_MS = 5_000
/** A scrape has other things to tell, and a time limit of its own. */
const PATIENCE_MS = 1_000

/**
 * Looks into the store at most every few seconds, and never twice at once: while it hangs nobody asks again. `null`: it fails, or takes
 * longer than a scrape can wait.
 */
export function createStoreSnapshotReader(db: Database, now: () => number): () => Promise<StoreSnapshot | null> {
  let looking: Promise<StoreSnapshot | null> | undefined
  let last: { at: number; answer: Promise<StoreSnapshot | null> } | undefined

  async function look(): Promise<StoreSnapshot> {
    const at = new Date(now()).toISOString()
    const orders = await countPendingOrders(db)
    const deliveries = await countDueDeliveries(db, at)
    return { orders, deliveries, endpoints: await countEndpointsByStatus(db), incidents: await countOpenIncidents(db) }
  }

  function begin(): Promise<StoreSnapshot | null> {
    looking ??= look()
      .catch(() => null)
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return () => {
    const at = now()
    if (last === undefined || at - last.at >= BELIEVED_MS || at < last.at) last = { at, answer: inTime(begin()) }
    return last.answer
  }
}

async function inTime<T>(asked: Promise<T | null>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, PATIENCE_MS, null)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
