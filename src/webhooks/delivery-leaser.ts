import type { Database } from '../storage/database.ts'
import { cancelPendingDeliveries } from '../storage/webhooks/deliveries.ts'
import {
  findDueSubscriptions,
  findEndpoints,
  type LeasedDelivery,
  leaseDeliveries,
} from '../storage/webhooks/delivery-queue.ts'
import type { EndpointQueue, EndpointQueues } from './endpoint-queues.ts'
import { createEventBodyCache } from './event-body-cache.ts'

export interface DeliveryLeaserParts {
  db: Database
  /** Of this process. */
  holder: string
  lanes: EndpointQueues
  now: () => number
  /** Told when a lane has got something to send. */
  onReady(): void
  /** Told of a delivery whose event is gone. */
  onGone(delivery: LeasedDelivery): void
}

const LEASE_MS = 60_000
/** Lanes that are leased for at a time. */
const AT_ONCE = 4

/** Looks once for what is due, and leases as much of it as there is room for. */
export function createDeliveryLeaser({
  db,
  holder,
  lanes,
  now,
  onReady,
  onGone,
}: DeliveryLeaserParts): () => Promise<void> {
  const bodiesOf = createEventBodyCache(db)
  const instant = (ms = 0) => new Date(now() + ms).toISOString()

  /** The subscriptions that are sent to. What waits for any other is let go. */
  async function refresh(ids: ReadonlySet<string>): Promise<Set<string>> {
    const endpoints = await findEndpoints(db, [...ids])
    const enabled = endpoints.filter(({ status }) => status !== 'DISABLED')
    for (const endpoint of enabled) lanes.put(endpoint)
    const alive = new Set(enabled.map(({ subscription_id }) => subscription_id))
    for (const id of ids) if (!alive.has(id)) await stopSending(id)
    return alive
  }

  async function stopSending(subscriptionId: string): Promise<void> {
    const lane = lanes.get(subscriptionId)
    if (lane) lanes.drain(lane)
    await cancelPendingDeliveries(db, subscriptionId, instant())
  }

  async function leaseFor(subscriptions: Iterable<string>): Promise<void> {
    for (const subscriptionId of subscriptions) {
      const lane = lanes.get(subscriptionId)
      const most = lane ? lanes.room(lane) : 0
      if (!lane || most === 0) continue
      const leasing = { subscriptionId, holder, now: instant(), until: instant(LEASE_MS), most }
      const leased = await leaseDeliveries(db, leasing)
      lane.more = leased.length === most
      await takeUp(lane, leased)
    }
  }

  async function takeUp(lane: EndpointQueue, leased: readonly LeasedDelivery[]): Promise<void> {
    const bodies = await bodiesOf(leased.map(({ event_id }) => event_id))
    for (const delivery of leased) {
      const body = bodies.get(delivery.event_id)
      if (body) lanes.add(lane, [{ ...delivery, body }])
      else onGone(delivery)
    }
    onReady()
  }

  return async () => {
    const due = await findDueSubscriptions(db, instant())
    const busy = [...lanes.all()].filter(({ waiting }) => waiting.length > 0)
    const alive = await refresh(new Set([...due, ...busy.map(({ endpoint }) => endpoint.subscription_id)]))
    const wanting = due.filter((id) => alive.has(id)).values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => leaseFor(wanting)))
  }
}
