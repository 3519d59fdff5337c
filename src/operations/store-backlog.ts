import { createSingleFlight } from '../lifecycle/single-flight.ts'
import { waitUpTo } from '../lifecycle/wait-up-to.ts'
import type { Database } from '../storage/database.ts'
import { countDueDeliveries, countPendingOrders } from '../storage/diagnostics/backlog-queries.ts'
import { countOpenIncidents } from '../storage/diagnostics/open-incidents.ts'
import { type FailingChannel, listFailingChannels } from '../storage/diagnostics/outage-notices.ts'
import {
  countEndpointsByStatus,
  countUnsuccessfulEndpoints,
  UNSUCCESSFUL_ENDPOINT_MS,
} from '../storage/diagnostics/webhook-endpoint-queries.ts'

/** The work that waits in the store. */
export interface StoreBacklog {
  orders: Awaited<ReturnType<typeof countPendingOrders>>
  deliveries: Awaited<ReturnType<typeof countDueDeliveries>>
  endpoints: Awaited<ReturnType<typeof countEndpointsByStatus>>
  /** Endpoints without a success for 15 minutes. */
  unsuccessful: Awaited<ReturnType<typeof countUnsuccessfulEndpoints>>
  incidents: Awaited<ReturnType<typeof countOpenIncidents>>
  /** Channels whose latest message of the last hour about an outage could not be sent. */
  failingChannels: FailingChannel[]
}

/** Several gauges read it in one scrape, and several Prometheus servers may scrape. */
const SNAPSHOT_TTL_MS = 5_000
/** A scrape has other metrics to return, and a time limit of its own. */
const STORE_TIMEOUT_MS = 1_000
const CHANNEL_WINDOW_MS = 3_600_000

/**
 * Returns a reader that queries the store at most every few seconds, and never twice at once, even while a query hangs.
 * It reads `null` when the store fails or takes longer than a scrape can wait.
 */
export function createStoreBacklogReader(db: Database, now: () => number): () => Promise<StoreBacklog | null> {
  let latest: { at: number; backlog: Promise<StoreBacklog | null> } | undefined

  async function readStore(): Promise<StoreBacklog> {
    const at = new Date(now()).toISOString()
    const orders = await countPendingOrders(db)
    const deliveries = await countDueDeliveries(db, at)
    const endpoints = await countEndpointsByStatus(db)
    const unsuccessful = await countUnsuccessfulEndpoints(db, new Date(now() - UNSUCCESSFUL_ENDPOINT_MS).toISOString())
    const failingChannels = await listFailingChannels(db, new Date(now() - CHANNEL_WINDOW_MS).toISOString())
    return { orders, deliveries, endpoints, unsuccessful, incidents: await countOpenIncidents(db), failingChannels }
  }

  const flight = createSingleFlight(() => readStore().catch(() => null))

  return () => {
    const at = now()
    if (latest === undefined || at - latest.at >= SNAPSHOT_TTL_MS || at < latest.at)
      latest = { at, backlog: waitUpTo(STORE_TIMEOUT_MS, flight.run()) }
    return latest.backlog
  }
}
