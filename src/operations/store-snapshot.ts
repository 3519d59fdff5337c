import type { Database } from '../storage/database.ts'
import { deliveriesDue, endpointsByStatus, openIncidents, ordersWaiting } from '../storage/diagnostics/store-counts.ts'

/** What the store tells of what waits in it. */
export interface Sight {
  orders: Awaited<ReturnType<typeof ordersWaiting>>
  deliveries: Awaited<ReturnType<typeof deliveriesDue>>
  endpoints: Awaited<ReturnType<typeof endpointsByStatus>>
  incidents: Awaited<ReturnType<typeof openIncidents>>
}

/** Several gauges ask for it in one scrape, and several may scrape. */
const BELIEVED_MS = 5_000
/** A scrape has other things to tell, and a time limit of its own. */
const PATIENCE_MS = 1_000

/**
 * Looks into the store at most every few seconds, and never twice at once: while it hangs nobody asks again. `null`: it fails, or takes
 * longer than a scrape can wait.
 */
export function createStoreSight(db: Database, now: () => number): () => Promise<Sight | null> {
  let looking: Promise<Sight | null> | undefined
  let last: { at: number; answer: Promise<Sight | null> } | undefined

  async function look(): Promise<Sight> {
    const at = new Date(now()).toISOString()
    const orders = await ordersWaiting(db)
    const deliveries = await deliveriesDue(db, at)
    return { orders, deliveries, endpoints: await endpointsByStatus(db), incidents: await openIncidents(db) }
  }

  function begin(): Promise<Sight | null> {
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
