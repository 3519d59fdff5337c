import type { LeasedDelivery } from '../storage/webhooks/delivery-queue.ts'
import type { WebhookEndpoint } from '../storage/webhooks/subscription-endpoints.ts'
import { isEndpointHealthy } from './endpoint-health.ts'

export interface EndpointQueueLimits {
  /** Concurrent sends, over all endpoints. */
  maxSends: number
  /** The share of these that failing, stalled and new endpoints may use together. */
  maxSlowSends: number
  maxSendsPerEndpoint: number
  /** Deliveries that are leased and not yet sent: of one endpoint, and over all. */
  maxWaitingPerEndpoint: number
  maxWaiting: number
  /** An endpoint whose oldest send has run for this long is stalled: it gets no further sends. */
  stalledMs: number
}

export const defaultEndpointQueueLimits: EndpointQueueLimits = {
  maxSends: 256,
  maxSlowSends: 128,
  maxSendsPerEndpoint: 32,
  maxWaitingPerEndpoint: 128,
  maxWaiting: 2_048,
  stalledMs: 1_000,
}

/** A leased delivery with the bytes to send. */
export interface ReadyDelivery extends LeasedDelivery {
  body: Buffer
}

/** The waiting and running sends of one endpoint. */
export interface EndpointQueue {
  endpoint: WebhookEndpoint
  waiting: ReadyDelivery[]
  /** The running sends, the oldest first. */
  sending: Set<{ startedAt: number }>
  /** Concurrent sends: grows by one with each success, and halves with each failure. */
  sendLimit: number
  /** The endpoint's latest attempt was a success. */
  isProven: boolean
  /** More deliveries were due than were leased. */
  hasMore: boolean
}

const INITIAL_SEND_LIMIT = 4
const MAX_QUEUES = 4_096

export interface EndpointQueues {
  get(subscriptionId: string): EndpointQueue | undefined
  /** Returns the queue of an endpoint, and updates what is known of the endpoint. */
  upsert(endpoint: WebhookEndpoint): EndpointQueue
  values(): Iterable<EndpointQueue>
  /** Appends leased deliveries. */
  add(queue: EndpointQueue, deliveries: readonly ReadyDelivery[]): void
  /** Removes and returns the waiting deliveries. */
  drain(queue: EndpointQueue): ReadyDelivery[]
  /** The number of further deliveries that may be leased for an endpoint. */
  freeCapacity(queue: EndpointQueue): number
  /**
   * Returns the next delivery to send, with the endpoints in turn. It counts as running until `end` is called; `isDelivered` is `null` if
   * there was no attempt.
   */
  next(): { queue: EndpointQueue; delivery: ReadyDelivery; end(isDelivered: boolean | null): void } | null
  stats(): { queues: number; waiting: number; sending: number }
}

/**
 * Distributes the sends so that no endpoint delays another. New, failing and stalled endpoints get at most half of them. The fewer sends are
 * free, the fewer each endpoint may have, so that endpoints which all begin to hang at once leave capacity for the others.
 */
export function createEndpointQueues(limits: EndpointQueueLimits, elapsed: () => number): EndpointQueues {
  const queues = new Map<string, EndpointQueue>()
  let waiting = 0
  let sending = 0

  const isStalled = ({ sending }: EndpointQueue) => {
    const [oldest] = sending
    return oldest !== undefined && elapsed() - oldest.startedAt >= limits.stalledMs
  }
  const isSlow = (queue: EndpointQueue) => !queue.isProven || isStalled(queue)

  function countSlowSends(): number {
    let count = 0
    for (const queue of queues.values()) if (isSlow(queue)) count += queue.sending.size
    return count
  }

  /** Returns an endpoint's limit at the current load. */
  function currentSendLimit(queue: EndpointQueue): number {
    const sendLimit = Math.min(queue.sendLimit, limits.maxSendsPerEndpoint)
    if (sending < limits.maxSends / 2) return sendLimit
    return Math.min(sendLimit, sending < (limits.maxSends * 3) / 4 ? INITIAL_SEND_LIMIT : 1)
  }

  function canSend(queue: EndpointQueue, slowSends: number): boolean {
    if (queue.sending.size >= currentSendLimit(queue) || isStalled(queue)) return false
    if (queue.isProven) return true
    // Half of the slow share is reserved for endpoints without a running send.
    return slowSends < (queue.sending.size === 0 ? limits.maxSlowSends : limits.maxSlowSends / 2)
  }

  function startNext(queue: EndpointQueue) {
    const delivery = queue.waiting.shift()!
    const send = { startedAt: elapsed() }
    queue.sending.add(send)
    waiting -= 1
    sending += 1
    // Moves the endpoint to the end of the rotation.
    queues.delete(delivery.subscription_id)
    queues.set(delivery.subscription_id, queue)
    const end = (isDelivered: boolean | null) => {
      queue.sending.delete(send)
      sending -= 1
      if (isDelivered === null) return
      queue.isProven = isDelivered
      queue.sendLimit = isDelivered
        ? Math.min(limits.maxSendsPerEndpoint, queue.sendLimit + 1)
        : Math.max(1, queue.sendLimit >> 1)
    }
    return { queue, delivery, end }
  }

  function removeIdle(): void {
    for (const [id, queue] of queues) if (queue.waiting.length + queue.sending.size === 0) queues.delete(id)
  }

  return {
    get: (id) => queues.get(id),
    upsert(endpoint) {
      const queue = queues.get(endpoint.subscription_id)
      if (queue) {
        queue.endpoint = endpoint
        return queue
      }
      if (queues.size >= MAX_QUEUES) removeIdle()
      const isProven = endpoint.last_success_at !== null && isEndpointHealthy(endpoint)
      const created = {
        endpoint,
        waiting: [],
        sending: new Set<never>(),
        sendLimit: INITIAL_SEND_LIMIT,
        isProven,
        hasMore: false,
      }
      queues.set(endpoint.subscription_id, created)
      return created
    },
    values: () => queues.values(),
    add(queue, deliveries) {
      waiting += deliveries.length
      queue.waiting.push(...deliveries)
    },
    drain(queue) {
      waiting -= queue.waiting.length
      return queue.waiting.splice(0)
    },
    freeCapacity(queue) {
      const capacity =
        queue.isProven && !isStalled(queue)
          ? limits.maxWaitingPerEndpoint
          : currentSendLimit(queue) - queue.sending.size
      return Math.max(0, Math.min(capacity - queue.waiting.length, limits.maxWaiting - waiting))
    },
    next() {
      if (waiting === 0 || sending >= limits.maxSends) return null
      const slowSends = countSlowSends()
      for (const queue of queues.values())
        if (queue.waiting.length > 0 && canSend(queue, slowSends)) return startNext(queue)
      return null
    },
    stats: () => ({ queues: queues.size, waiting, sending }),
  }
}
