import { randomBytes } from 'node:crypto'
import { print, printError } from '../print.ts'
import { waitForShutdownSignal } from '../shutdown-signal.ts'
import { UsageError } from '../usage-error.ts'
import { createEventReceiver } from './event-receiver.ts'
import { listenOnLoopback } from './loopback-listener.ts'
import { type ReceiverSubscription, subscribeReceiver } from './receiver-subscription.ts'
import { createSubscriptionWatcher, type SubscriptionWatcher } from './subscription-watcher.ts'
import { resolveApiTarget } from './webhooks-api-client.ts'

const KEY_BYTES = 32
const SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/

const GONE =
  'An answer of 410 disables the subscription: no more events come, until PATCH /v1/webhooks/{subscription_id} with {"status":"ACTIVE"}.'

export interface WebhooksListenOptions {
  port: number
  api?: string
  key?: string
  events: string
  forward?: string
  fail?: string
  secret?: string
}

/** A receiver on this machine, subscribed for as long as it runs. */
export async function runWebhooksListen(options: WebhooksListenOptions): Promise<void> {
  const { port, events, forward } = options
  const fail = options.fail === undefined ? null : statusOf(options.fail)
  if (forward !== undefined && !/^https?:$/.test(URL.parse(forward)?.protocol ?? ''))
    throw new UsageError(`--forward takes a URL such as http://127.0.0.1:3000/hooks, not "${forward}"`)
  if (options.secret !== undefined && !SECRET.test(options.secret))
    throw new UsageError('--secret takes a signing secret: whsec_ and base64')
  const api = options.secret === undefined ? resolveApiTarget(options) : null
  let watch: SubscriptionWatcher | undefined
  const onGone = () => (watch ? watch.soon() : print(GONE))
  const receiver = createEventReceiver({ fail, forward: forward ?? null, now: Date.now, tell: print, onGone })
  await using listening = await listenOnLoopback(receiver.handler, port)
  const stopped = waitForShutdownSignal()
  const types = events.split(',').map((type) => type.trim())
  const subscribed = api && (await subscribeReceiver(api, listening.urls, types.filter(Boolean)))
  receiver.expect(subscribed?.secret ?? options.secret!)
  print(greeting(subscribed?.url ?? listening.urls[0]!, subscribed, forward, fail))
  if (api && subscribed) watch = createSubscriptionWatcher({ api, id: subscribed.id, tell: print })
  await stopped
  watch?.[Symbol.dispose]()
  await subscribed?.end().catch((error: Error) => printError(`The subscription is left as it is: ${error.message}`))
}

/** 256 bits, as webhooks.key takes them. */
export const runWebhooksKey = (): void => print(randomBytes(KEY_BYTES).toString('base64'))

function statusOf(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 300 && status <= 599) return status
  throw new UsageError(`--fail takes a status from 300 to 599, not "${text}"`)
}

function greeting(
  url: string,
  subscribed: ReceiverSubscription | null,
  forward: string | undefined,
  fail: number | null,
) {
  const whose = subscribed
    ? `${subscribed.id}${subscribed.again ? ', as before' : ''}: ${subscribed.types.join(', ')}`
    : 'the subscription of that secret'
  const how = [fail !== null && `answering ${fail}`, forward && `passing on to ${forward}`].filter(Boolean)
  return `Listening on ${url}   (${[whose, ...how].join('; ')})\nCtrl-C ends it${subscribed ? ', and its subscription' : ''}.\n`
}
