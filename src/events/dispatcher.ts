import { randomUUID } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import {
  dueSubscriptions,
  endpointsOf,
  type LeasedDelivery,
  leaseDeliveries,
  releaseDeliveries,
} from '../storage/deliveries.ts'
import { cancelDeliveries } from '../storage/delivery-log.ts'
import type { Vault } from '../storage/vault.ts'
import { createBodies } from './bodies.ts'
import { createLanes, type Lane, type LaneLimits, laneLimits } from './lanes.ts'
import { cancelled, seenBy } from './outcome.ts'
import { type Attempted, isDelivered, type Parcel, type Send } from './parcel.ts'
import { createRecorder } from './recorder.ts'
import type { StatusChange } from './recording.ts'
import { createSecrets } from './secrets.ts'

export interface Attempt {
  subscriptionId: string
  type: string
  /** From 1. */
  attempt: number
  attempted: Attempted
}

export interface DispatcherParts {
  db: Database
  send: Send
  vault: Pick<Vault, 'open'>
  /** Milliseconds since the epoch. */
  now: () => number
  random?: () => number
  /** Told after it is written. */
  onStatus?: (change: StatusChange) => void
  /** Told of what went wrong here, not at an endpoint. */
  onError?: (error: unknown) => void
  onAttempt?: (attempt: Attempt) => void
  /** `null`: rounds are made by hand. */
  intervalMs?: number | null
  limits?: Partial<LaneLimits>
}

/** Sends what is due to the endpoints. Any number of them may work on one store. */
export interface Dispatcher extends AsyncDisposable {
  /** One round: leases what is due and there is room for, and ends when all of it is sent and recorded. */
  round(): Promise<void>
  stats(): { lanes: number; waiting: number; sending: number; unwritten: number }
}

const INTERVAL_MS = 100
const LEASE_MS = 60_000
/** An attempt, and its writing, must fit into what is left of a lease. */
const NEEDED_MS = 20_000
/** Lanes that are leased for at a time. */
const AT_ONCE = 4
/** How long an orderly end waits for answers; what is let go of comes back when its lease is over. */
const PARTING_MS = 2_000

export function createDispatcher({
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
}: DispatcherParts): Dispatcher {
  const holder = randomUUID()
  const lanes = createLanes({ ...laneLimits, ...limits }, () => performance.now())
  const bodies = new Map<string, { body: Buffer; uses: number }>()
  const bodiesOf = createBodies(db)
  const secretsOf = createSecrets(vault)
  const recorder = createRecorder({
    ...{ db, holder, now, onError, known: (id: string) => lanes.get(id)?.endpoint },
    onRecorded({ endpoints, changes }) {
      for (const endpoint of endpoints) if (lanes.get(endpoint.subscription_id)) lanes.put(endpoint)
      for (const change of changes) onStatus(change)
    },
  })
  const sends = new Set<Promise<void>>()
  const timer = intervalMs === null ? undefined : setInterval(() => void look().catch(onError), intervalMs)
  let looking: Promise<void> | undefined
  let stopped = false

  const instant = (ms = 0) => new Date(now() + ms).toISOString()

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    if (stopped) return
    const due = await dueSubscriptions(db, instant())
    const busy = [...lanes.all()].filter(({ waiting }) => waiting.length > 0)
    const ids = new Set([...due, ...busy.map(({ endpoint }) => endpoint.subscription_id)])
    const endpoints = await endpointsOf(db, [...ids])
    for (const endpoint of endpoints) if (endpoint.status !== 'DISABLED') lanes.put(endpoint)
    const alive = new Set(
      endpoints.flatMap(({ subscription_id, status }) => (status === 'DISABLED' ? [] : subscription_id)),
    )
    for (const id of ids) if (!alive.has(id)) await stopSending(id)
    const wanting = due.filter((id) => alive.has(id)).values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => leaseFor(wanting)))
  }

  /** Whoever disabled it has cancelled what was written by then. */
  async function stopSending(subscriptionId: string): Promise<void> {
    const lane = lanes.get(subscriptionId)
    if (lane) for (const delivery of lanes.drain(lane)) forget(delivery)
    await cancelDeliveries(db, subscriptionId, instant())
  }

  async function leaseFor(subscriptions: Iterable<string>): Promise<void> {
    for (const subscriptionId of subscriptions) {
      const lane = lanes.get(subscriptionId)
      const most = lane ? lanes.room(lane) : 0
      if (!lane || most === 0 || stopped) continue
      const leasing = { subscriptionId, holder, now: instant(), until: instant(LEASE_MS), most }
      const leased = await leaseDeliveries(db, leasing)
      lane.more = leased.length === most
      await takeUp(lane, leased)
    }
  }

  async function takeUp(lane: Lane, leased: readonly LeasedDelivery[]): Promise<void> {
    const found = await bodiesOf(leased.map(({ event_id }) => event_id))
    const sendable = leased.filter((delivery) => {
      const body = found.get(delivery.event_id)
      if (body) hold(delivery, body)
      else recorder.record(cancelled(delivery, now()), Date.parse(delivery.due_at))
      return body !== undefined
    })
    lanes.add(lane, sendable)
    pump()
  }

  function hold({ event_id }: LeasedDelivery, body: Buffer): void {
    const held = bodies.get(event_id)
    if (held) held.uses += 1
    else bodies.set(event_id, { body, uses: 1 })
  }

  function forget({ event_id }: LeasedDelivery): Buffer {
    const held = bodies.get(event_id)!
    held.uses -= 1
    if (held.uses === 0) bodies.delete(event_id)
    return held.body
  }

  function pump(): void {
    for (let next = stopped ? null : lanes.next(); next; next = lanes.next()) {
      const { lane, delivery, end } = next
      const sending = sendOne(lane, delivery).then(end, (error) => {
        end(null)
        onError(error)
      })
      const done = sending.finally(() => {
        sends.delete(done)
        pump()
        if (intervalMs !== null && !stopped && isHungry(lane)) look().catch(onError)
      })
      sends.add(done)
    }
  }

  /** Its next deliveries are looked for before the next tick. */
  const isHungry = (lane: Lane) => lane.more && lane.waiting.length === 0 && lanes.room(lane) > 0

  /** Whether it was delivered; `null`: it was not tried. */
  async function sendOne({ endpoint }: Lane, delivery: LeasedDelivery): Promise<boolean | null> {
    const body = forget(delivery)
    const until = Date.parse(delivery.due_at)
    const { subscription_id: subscriptionId, event_type: type } = delivery
    if (until - now() < NEEDED_MS) {
      await releaseDeliveries(db, holder, [delivery.delivery_id], instant())
      return null
    }
    const attempt = delivery.attempts + 1
    const attempted = await attemptOf(endpoint, delivery, { body, attempt })
    recorder.record(seenBy(delivery, attempted, now(), random()), until)
    onAttempt({ subscriptionId, type, attempt, attempted })
    return isDelivered(attempted)
  }

  function attemptOf(
    endpoint: Lane['endpoint'],
    delivery: LeasedDelivery,
    { body, attempt }: Pick<Parcel, 'body' | 'attempt'>,
  ) {
    const { delivery_id: deliveryId, event_id: eventId, event_type: type, mode } = delivery
    let secrets: Parcel['secrets']
    try {
      secrets = secretsOf(endpoint, now())
    } catch (error) {
      onError(error)
      return Promise.resolve(unsigned(instant()))
    }
    return send({ url: endpoint.endpoint_url, deliveryId, eventId, type, mode, attempt, body, secrets })
  }

  async function idle(): Promise<void> {
    while (sends.size > 0) await Promise.all(sends)
    await recorder.settled()
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
    },
  }
}

const unsigned = (at: string): Attempted => ({
  ...{ at, durationMs: 0, responseStatus: null, error: 'secret_unreadable', excerpt: null, retryAfterMs: null },
})
