import type { Database } from '../storage/database.ts'
import { cancelPendingDeliveries } from '../storage/webhooks/deliveries.ts'
import { findDueSubscriptions, type LeasedDelivery, leaseDeliveries } from '../storage/webhooks/delivery-queue.ts'
import { findEndpoints } from '../storage/webhooks/subscription-endpoints.ts'
import type { EndpointQueue, EndpointQueues } from './endpoint-queues.ts'
import { createEventBodyReader, type EventBodyReader } from './event-body-reader.ts'

export interface DeliveryLeaserParts {
  db: Database
  /** Identifies this process. */
  holder: string
  queues: EndpointQueues
  now: () => number
  /** Called when a queue has deliveries to send. */
  onReady(): void
  /** Called for a delivery whose event has been deleted. */
  onEventMissing(delivery: LeasedDelivery): void
}

const LEASE_MS = 60_000
/** The number of endpoints for which deliveries are leased concurrently. */
const CONCURRENCY = 4

/** Returns a function that leases the due deliveries, as many as the queues have capacity for. */
export function createDeliveryLeaser({
  db,
  holder,
  queues,
  now,
  onReady,
  onEventMissing,
}: DeliveryLeaserParts): () => Promise<void> {
  const instantIn = (ms = 0) => new Date(now() + ms).toISOString()

  /** Updates the endpoints and returns the enabled ones. Deliveries for the others are cancelled. */
  async function refreshEndpoints(ids: ReadonlySet<string>): Promise<Set<string>> {
    const endpoints = await findEndpoints(db, [...ids])
    const enabled = endpoints.filter(({ status }) => status !== 'DISABLED')
    for (const endpoint of enabled) queues.upsert(endpoint)
    const enabledIds = new Set(enabled.map(({ subscription_id }) => subscription_id))
    for (const id of ids) if (!enabledIds.has(id)) await stopSending(id)
    return enabledIds
  }

  async function stopSending(subscriptionId: string): Promise<void> {
    const queue = queues.get(subscriptionId)
    if (queue) queues.drain(queue)
    await cancelPendingDeliveries(db, subscriptionId, instantIn())
  }

  async function leaseDeliveriesOf(subscriptions: Iterable<string>, readBodies: EventBodyReader): Promise<void> {
    for (const subscriptionId of subscriptions) {
      const queue = queues.get(subscriptionId)
      const capacity = queue ? queues.freeCapacity(queue) : 0
      if (!queue || capacity === 0) continue
      const lease = { subscriptionId, holder, now: instantIn(), until: instantIn(LEASE_MS), limit: capacity }
      const leased = await leaseDeliveries(db, lease)
      queue.hasMore = leased.length === capacity
      add(queue, leased, await readBodies(leased.map(({ event_id }) => event_id)))
    }
  }

  function add(queue: EndpointQueue, leased: readonly LeasedDelivery[], bodies: ReadonlyMap<string, Buffer>): void {
    for (const delivery of leased) {
      const body = bodies.get(delivery.event_id)
      if (body) queues.add(queue, [{ ...delivery, body }])
      else onEventMissing(delivery)
    }
    onReady()
  }

  return async () => {
    const due = await findDueSubscriptions(db, instantIn())
    const waitingQueues = [...queues.values()].filter(({ waiting }) => waiting.length > 0)
    const enabledIds = await refreshEndpoints(
      new Set([...due, ...waitingQueues.map(({ endpoint }) => endpoint.subscription_id)]),
    )
    const subscriptions = due.filter((id) => enabledIds.has(id)).values()
    const readBodies = createEventBodyReader(db)
    await Promise.all(Array.from({ length: CONCURRENCY }, () => leaseDeliveriesOf(subscriptions, readBodies)))
  }
}
