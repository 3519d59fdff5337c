import { randomUUID } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import { cancelPendingDeliveries } from '../storage/webhooks/deliveries.ts'
import { releaseDeliveries } from '../storage/webhooks/delivery-queue.ts'
import { createDeliveryLeaser } from './delivery-leaser.ts'
import { createDeliveryRecorder } from './delivery-recorder.ts'
import { createCancelledResult, toDeliveryResult } from './delivery-result.ts'
import {
  createEndpointQueues,
  defaultEndpointQueueLimits,
  type EndpointQueue,
  type EndpointQueueLimits,
  type ReadyDelivery,
} from './endpoint-queues.ts'
import type { EndpointStatusChange } from './record-delivery-results.ts'
import { createSignedSender } from './signed-sender.ts'
import { type AttemptResult, isDelivered, type WebhookSendFunction } from './webhook-request.ts'

export interface AttemptReport {
  subscriptionId: string
  type: string
  /** From 1. */
  attempt: number
  attempted: AttemptResult
}

export interface WebhookDispatcherParts {
  db: Database
  send: WebhookSendFunction
  vault: Pick<SecretCipher, 'open'>
  /** Milliseconds since the epoch. */
  now: () => number
  random?: () => number
  /** Told after it is written; must not throw. */
  onStatus?: (change: EndpointStatusChange) => void
  /** Told of what went wrong here, not at an endpoint. */
  onError?: (error: unknown) => void
  onAttempt?: (attempt: AttemptReport) => void
  /** `null`: rounds are made by hand. */
  intervalMs?: number | null
  limits?: Partial<EndpointQueueLimits>
}

/** Sends what is due to the endpoints. Any number of them may work on one store. */
export interface WebhookDispatcher extends AsyncDisposable {
  /** One round: leases what is due and there is room for, and ends when all that is under way is recorded. */
  round(): Promise<void>
  stats(): { lanes: number; waiting: number; sending: number; unwritten: number }
}

const INTERVAL_MS = 100
/** What is delivered and not written is delivered again when this process dies: while the store is slow, or away, there is not much of it. */
const MOST_UNWRITTEN = 128
/** After a look that failed. */
const REST_MS = 1_000
/** An attempt, and its writing, must fit into what is left of a lease. */
const NEEDED_MS = 20_000
/** How long an orderly end waits for answers; what is let go of comes back when its lease is over. */
const PARTING_MS = 2_000

export function createWebhookDispatcher({
  db,
  send,
  vault,
  now,
  random = Math.random,
  onStatus = () => {},
  onError = () => {},
  onAttempt = () => {},
  intervalMs = INTERVAL_MS,
  limits,
}: WebhookDispatcherParts): WebhookDispatcher {
  const holder = randomUUID()
  const lanes = createEndpointQueues({ ...defaultEndpointQueueLimits, ...limits }, () => performance.now())
  const attempt = createSignedSender({ send, vault, now, onError })
  const recorder = createDeliveryRecorder({
    ...{ db, holder, now, onError, known: (id: string) => lanes.get(id)?.endpoint },
    onRecorded({ endpoints, changes }) {
      for (const endpoint of endpoints) if (lanes.get(endpoint.subscription_id)) lanes.put(endpoint)
      for (const change of changes) {
        onStatus(change)
        if (change.to === 'DISABLED')
          during(cancelPendingDeliveries(db, change.subscription.subscription_id, instant()).catch(onError))
      }
      pump()
    },
  })
  const lookOnce = createDeliveryLeaser({
    ...{ db, holder, lanes, now, onReady: pump },
    onGone: (delivery) => recorder.record(createCancelledResult(delivery, now()), Date.parse(delivery.due_at)),
  })
  /** What is waited for at the end. */
  const sends = new Set<Promise<void>>()
  const during = (work: Promise<void>) => {
    const done: Promise<void> = work.finally(() => sends.delete(done))
    sends.add(done)
  }
  const timer = intervalMs === null ? undefined : setInterval(tick, intervalMs)
  let looking: Promise<void> | undefined
  let restingUntil = 0
  let stopped = false

  const instant = () => new Date(now()).toISOString()

  function look(): Promise<void> {
    if (stopped) return Promise.resolve()
    looking ??= lookOnce().finally(() => {
      looking = undefined
      pump()
    })
    return looking
  }

  function tick(): void {
    if (looking || performance.now() < restingUntil) return
    look().catch((error) => {
      restingUntil = performance.now() + REST_MS
      onError(error)
    })
  }

  function pump(): void {
    while (!stopped && recorder.unwritten < MOST_UNWRITTEN) {
      const next = lanes.next()
      if (!next) return
      const { lane, delivery, end } = next
      const done: Promise<void> = sendOne(lane, delivery)
        .then(end, (error) => {
          end(null)
          onError(error)
        })
        .finally(() => {
          sends.delete(done)
          pump()
          if (intervalMs !== null && isHungry(lane)) tick()
        })
      sends.add(done)
    }
  }

  /** Its next deliveries are looked for before the next tick. */
  const isHungry = (lane: EndpointQueue) => lane.more && lane.waiting.length === 0 && lanes.room(lane) > 0

  /** Whether it was delivered; `null`: it was not tried. */
  async function sendOne({ endpoint }: EndpointQueue, delivery: ReadyDelivery): Promise<boolean | null> {
    const until = Date.parse(delivery.due_at)
    if (until - now() < NEEDED_MS) {
      await releaseDeliveries(db, holder, [delivery.delivery_id], instant())
      return null
    }
    const attempted = await attempt(endpoint, delivery)
    recorder.record(toDeliveryResult(endpoint, delivery, attempted, now(), random()), until)
    const { subscription_id: subscriptionId, event_type: type, attempts } = delivery
    onAttempt({ subscriptionId, type, attempt: attempts + 1, attempted })
    return isDelivered(attempted)
  }

  async function idle(): Promise<void> {
    do {
      await Promise.all(sends)
      await recorder.settled()
    } while (sends.size > 0)
  }

  async function giveBack(): Promise<void> {
    const left = [...lanes.all()].flatMap((lane) => lanes.drain(lane)).map(({ delivery_id }) => delivery_id)
    await releaseDeliveries(db, holder, left, instant())
  }

  return {
    async round() {
      await look()
      await idle()
    },
    stats: () => ({ ...lanes.stats(), unwritten: recorder.unwritten }),
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      const { promise: parted, resolve } = Promise.withResolvers<void>()
      const parting = setTimeout(resolve, PARTING_MS)
      const ended = Promise.allSettled([looking]).then(giveBack).catch(onError).then(idle)
      await Promise.race([ended, parted])
      clearTimeout(parting)
      // What answers later has no store to be written to.
      recorder.close()
    },
  }
}
