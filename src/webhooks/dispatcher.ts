import { randomUUID } from 'node:crypto'
import { startPoller } from '../lifecycle/poller.ts'
import { BACKGROUND_STOP_TIMEOUT_MS, waitUpTo } from '../lifecycle/wait-up-to.ts'
import type { Database } from '../storage/database.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import { cancelPendingDeliveries } from '../storage/webhooks/deliveries.ts'
import { releaseDeliveries } from '../storage/webhooks/delivery-queue.ts'
import { createDeliveryRecorder } from './batched-delivery-recorder.ts'
import { type AttemptResult, isDelivered, type WebhookSendFunction } from './delivery-attempt-types.ts'
import { createDeliveryLeaser } from './delivery-leaser.ts'
import { createCancelledResult, toDeliveryResult } from './delivery-result.ts'
import {
  createEndpointQueues,
  defaultEndpointQueueLimits,
  type EndpointQueue,
  type EndpointQueueLimits,
  type ReadyDelivery,
} from './endpoint-queues.ts'
import type { EndpointStatusChange } from './record-delivery-results.ts'
import { createSendWithSecrets } from './send-with-secrets.ts'

export interface AttemptReport {
  subscriptionId: string
  type: string
  /** From 1. */
  attempt: number
  result: AttemptResult
}

export interface WebhookDispatcherParts {
  db: Database
  send: WebhookSendFunction
  secretCipher: Pick<SecretCipher, 'decrypt'>
  /** Milliseconds since the epoch. */
  now: () => number
  random?: () => number
  /** Called after the change is written; must not throw. */
  onStatusChange?: (change: EndpointStatusChange) => void
  /** Receives internal errors, not failures of an endpoint. */
  onError?: (error: unknown) => void
  onAttempt?: (attempt: AttemptReport) => void
  /** `null`: no timer; rounds run when called. */
  intervalMs?: number | null
  limits?: Partial<EndpointQueueLimits>
}

/** Sends due deliveries to the endpoints. Any number of dispatchers can share a store. */
export interface WebhookDispatcher extends AsyncDisposable {
  /** Runs one round: leases due deliveries and resolves when all running sends are recorded. */
  round(): Promise<void>
  stats(): { queues: number; waiting: number; sending: number; unwritten: number }
}

const INTERVAL_MS = 100
/** Unwritten results are lost with the process and their deliveries are sent again, so sending pauses while the store is slow. */
const MAX_UNWRITTEN = 128
const PAUSE_AFTER_ERROR_MS = 1_000
/** An attempt and its write must fit into the rest of the lease. */
const MIN_LEASE_LEFT_MS = 20_000

export function createWebhookDispatcher({
  db,
  send,
  secretCipher,
  now,
  random = Math.random,
  onStatusChange = () => {},
  onError = () => {},
  onAttempt = () => {},
  intervalMs = INTERVAL_MS,
  limits,
}: WebhookDispatcherParts): WebhookDispatcher {
  const holder = randomUUID()
  const queues = createEndpointQueues({ ...defaultEndpointQueueLimits, ...limits }, () => performance.now())
  const attempt = createSendWithSecrets({ send, secretCipher, now, onError })
  const recorder = createDeliveryRecorder({
    db,
    holder,
    now,
    onError,
    findKnownEndpoint: (id: string) => queues.get(id)?.endpoint,
    onRecorded({ endpoints, changes }) {
      for (const endpoint of endpoints) if (queues.get(endpoint.subscription_id)) queues.upsert(endpoint)
      for (const change of changes) {
        onStatusChange(change)
        if (change.to === 'DISABLED')
          track(cancelPendingDeliveries(db, change.subscription.subscription_id, instant()).catch(onError))
      }
      sendWaiting()
    },
  })
  const leaseDue = createDeliveryLeaser({
    db,
    holder,
    queues,
    now,
    onReady: sendWaiting,
    onEventMissing: (delivery) => recorder.record(createCancelledResult(delivery, now()), Date.parse(delivery.due_at)),
  })
  /** The work that disposal waits for. */
  const running = new Set<Promise<void>>()
  const track = (work: Promise<void>) => {
    const done: Promise<void> = work.finally(() => running.delete(done))
    running.add(done)
  }
  const poller = startPoller({
    round: () => leaseDue().finally(sendWaiting),
    intervalMs,
    onError,
    pauseAfterErrorMs: PAUSE_AFTER_ERROR_MS,
  })

  const instant = () => new Date(now()).toISOString()

  function sendWaiting(): void {
    while (!poller.isStopped && recorder.unwrittenCount < MAX_UNWRITTEN) {
      const next = queues.next()
      if (!next) return
      const { queue, delivery, end } = next
      const done: Promise<void> = sendOne(queue, delivery)
        .then(end, (error) => {
          end(null)
          onError(error)
        })
        .finally(() => {
          running.delete(done)
          sendWaiting()
          if (intervalMs !== null && needsDeliveries(queue)) poller.tick()
        })
      running.add(done)
    }
  }

  /** Returns whether the next deliveries of a queue should be leased before the next tick. */
  const needsDeliveries = (queue: EndpointQueue) =>
    queue.hasMore && queue.waiting.length === 0 && queues.freeCapacity(queue) > 0

  /** Returns whether the delivery succeeded; `null`: there was no attempt. */
  async function sendOne({ endpoint }: EndpointQueue, delivery: ReadyDelivery): Promise<boolean | null> {
    const leasedUntil = Date.parse(delivery.due_at)
    if (leasedUntil - now() < MIN_LEASE_LEFT_MS) {
      await releaseDeliveries(db, holder, [delivery.delivery_id], instant())
      return null
    }
    const result = await attempt(endpoint, delivery)
    recorder.record(toDeliveryResult(endpoint, delivery, result, now(), random()), leasedUntil)
    const { subscription_id: subscriptionId, event_type: type, attempts } = delivery
    onAttempt({ subscriptionId, type, attempt: attempts + 1, result })
    return isDelivered(result)
  }

  async function waitUntilIdle(): Promise<void> {
    do {
      await Promise.all(running)
      await recorder.flush()
    } while (running.size > 0)
  }

  async function releaseWaiting(): Promise<void> {
    const ids = [...queues.values()].flatMap((queue) => queues.drain(queue)).map(({ delivery_id }) => delivery_id)
    await releaseDeliveries(db, holder, ids, instant())
  }

  return {
    async round() {
      await poller.poll()
      await waitUntilIdle()
    },
    stats: () => ({ ...queues.stats(), unwritten: recorder.unwrittenCount }),
    async [Symbol.asyncDispose]() {
      // An attempt that is still under way then is made again when its lease has ended.
      const ended = poller[Symbol.asyncDispose]().then(releaseWaiting).catch(onError).then(waitUntilIdle)
      await waitUpTo(BACKGROUND_STOP_TIMEOUT_MS, ended)
      // The store may be closed when later responses arrive.
      recorder.close()
    },
  }
}
