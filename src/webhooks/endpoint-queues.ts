import type { LeasedDelivery, WebhookEndpoint } from '../storage/webhooks/delivery-queue.ts'
import { isEndpointHealthy } from './endpoint-health.ts'

export interface EndpointQueueLimits {
  /** Sends at a time, of all lanes. */
  slots: number
  /** Of these, what lanes that fail, stall or are new may take together. */
  slowSlots: number
  /** Of one lane. */
  perLane: number
  /** Leased and not yet sent: of one lane, and of all. */
  ahead: number
  aheadOverall: number
  /** A lane whose oldest send has waited for so long gets no further one. */
  stalledMs: number
}

export const defaultEndpointQueueLimits: EndpointQueueLimits = {
  ...{ slots: 256, slowSlots: 128, perLane: 32, ahead: 128, aheadOverall: 2_048, stalledMs: 1_000 },
}

/** Leased, with the bytes to send. */
export interface ReadyDelivery extends LeasedDelivery {
  body: Buffer
}

/** What waits for one endpoint, and is being sent to it. */
export interface EndpointQueue {
  endpoint: WebhookEndpoint
  waiting: ReadyDelivery[]
  /** When each send began, the oldest first. */
  sending: Set<{ since: number }>
  /** Sends at a time: rises by one with each success, and halves with each failure. */
  allowed: number
  /** Whether the last that was heard of it was a success. */
  proven: boolean
  /** More was due than was leased. */
  more: boolean
}

const FIRST_ALLOWED = 4
const MOST_KEPT = 4_096

export interface EndpointQueues {
  get(subscriptionId: string): EndpointQueue | undefined
  /** The lane of an endpoint, as it is known now. */
  put(endpoint: WebhookEndpoint): EndpointQueue
  all(): Iterable<EndpointQueue>
  /** Leased deliveries, to be sent after those that wait. */
  add(lane: EndpointQueue, deliveries: readonly ReadyDelivery[]): void
  /** Takes those that wait away again. */
  drain(lane: EndpointQueue): ReadyDelivery[]
  /** How many more deliveries the lane may have leased. */
  room(lane: EndpointQueue): number
  /** The next delivery to send, each lane in turn; begun until `end` is called with how it went: `null`, if it was not tried. */
  next(): { lane: EndpointQueue; delivery: ReadyDelivery; end(delivered: boolean | null): void } | null
  stats(): { lanes: number; waiting: number; sending: number }
}

/**
 * Shares the sends out so that no endpoint delays another: new and failing ones have half of them at the most; and the fuller it gets, the
 * fewer any one may hold, so that endpoints which begin to hang all at once find the others still served.
 */
export function createEndpointQueues(limits: EndpointQueueLimits, elapsed: () => number): EndpointQueues {
  const lanes = new Map<string, EndpointQueue>()
  let waiting = 0
  let sending = 0

  const stalled = ({ sending }: EndpointQueue) => {
    const [oldest] = sending
    return oldest !== undefined && elapsed() - oldest.since >= limits.stalledMs
  }
  const slow = (lane: EndpointQueue) => !lane.proven || stalled(lane)

  function slowSending(): number {
    let count = 0
    for (const lane of lanes.values()) if (slow(lane)) count += lane.sending.size
    return count
  }

  /** Of a lane, with so many sends under way. */
  function most(lane: EndpointQueue): number {
    const allowed = Math.min(lane.allowed, limits.perLane)
    if (sending < limits.slots / 2) return allowed
    return Math.min(allowed, sending < (limits.slots * 3) / 4 ? FIRST_ALLOWED : 1)
  }

  function mayTake(lane: EndpointQueue, slowOnes: number): boolean {
    if (lane.sending.size >= most(lane) || stalled(lane)) return false
    if (lane.proven) return true
    // The second half of theirs is for those that have none yet.
    return slowOnes < (lane.sending.size === 0 ? limits.slowSlots : limits.slowSlots / 2)
  }

  function begin(lane: EndpointQueue) {
    const delivery = lane.waiting.shift()!
    const mark = { since: elapsed() }
    lane.sending.add(mark)
    waiting -= 1
    sending += 1
    // To the end of the turn.
    lanes.delete(delivery.subscription_id)
    lanes.set(delivery.subscription_id, lane)
    const end = (delivered: boolean | null) => {
      lane.sending.delete(mark)
      sending -= 1
      if (delivered === null) return
      lane.proven = delivered
      lane.allowed = delivered ? Math.min(limits.perLane, lane.allowed + 1) : Math.max(1, lane.allowed >> 1)
    }
    return { lane, delivery, end }
  }

  function forgetIdle(): void {
    for (const [id, lane] of lanes) if (lane.waiting.length + lane.sending.size === 0) lanes.delete(id)
  }

  return {
    get: (id) => lanes.get(id),
    put(endpoint) {
      const lane = lanes.get(endpoint.subscription_id)
      if (lane) {
        lane.endpoint = endpoint
        return lane
      }
      if (lanes.size >= MOST_KEPT) forgetIdle()
      const proven = endpoint.last_success_at !== null && isEndpointHealthy(endpoint)
      const made = { endpoint, waiting: [], sending: new Set<never>(), allowed: FIRST_ALLOWED, proven, more: false }
      lanes.set(endpoint.subscription_id, made)
      return made
    },
    all: () => lanes.values(),
    add(lane, deliveries) {
      waiting += deliveries.length
      lane.waiting.push(...deliveries)
    },
    drain(lane) {
      waiting -= lane.waiting.length
      return lane.waiting.splice(0)
    },
    room(lane) {
      const wanted = lane.proven && !stalled(lane) ? limits.ahead : most(lane) - lane.sending.size
      return Math.max(0, Math.min(wanted - lane.waiting.length, limits.aheadOverall - waiting))
    },
    next() {
      if (waiting === 0 || sending >= limits.slots) return null
      const slowOnes = slowSending()
      for (const lane of lanes.values()) if (lane.waiting.length > 0 && mayTake(lane, slowOnes)) return begin(lane)
      return null
    },
    stats: () => ({ lanes: lanes.size, waiting, sending }),
  }
}
