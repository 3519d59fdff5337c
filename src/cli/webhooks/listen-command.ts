import type { RequestListener } from 'node:http'
import { startHttpServer } from '../../http/server/server.ts'
import { splitList } from '../parse-option.ts'
import { print, printError } from '../print.ts'
import { waitForShutdownSignal } from '../shutdown-and-hangup-signals.ts'
import { UsageError } from '../usage-error.ts'
import { resolveApiTarget } from './api-target.ts'
import { createEventReceiver } from './event-receiver.ts'
import { type ReceiverSubscription, subscribeReceiver } from './receiver-subscription.ts'
import { createSubscriptionWatcher, type SubscriptionWatcher } from './subscription-watcher.ts'

const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/

const GONE_NOTICE =
  'A response of 410 disables the subscription, and no more events arrive. To enable it again: PATCH /v1/webhooks/{subscription_id} with {"status":"ACTIVE"}.'

export interface WebhooksListenOptions {
  port: number
  api?: string
  key?: string
  events: string
  forward?: string
  fail?: string
  secret?: string
}

/** Runs a receiver on this machine, subscribed until a shutdown signal. */
export async function runWebhooksListen(options: WebhooksListenOptions): Promise<void> {
  const fail = options.fail === undefined ? null : parseFailOption(options.fail)
  const forward = options.forward === undefined ? null : parseForwardOption(options.forward)
  if (options.secret !== undefined && !SECRET_PATTERN.test(options.secret))
    throw new UsageError('--secret takes a signing secret: whsec_ and base64')
  const api = options.secret === undefined ? resolveApiTarget(options) : null
  let watcher: SubscriptionWatcher | undefined
  const onGone = () => (watcher ? watcher.checkSoon() : print(GONE_NOTICE))
  const receiver = createEventReceiver({ fail, forward, now: Date.now, print, onGone })
  await using listener = await listenOnLoopback(receiver.handler, options.port)
  const shutdown = waitForShutdownSignal()
  const types = splitList(options.events).filter(Boolean)
  const subscription = api && (await subscribeReceiver(api, listener.urls, types))
  receiver.setSecret(subscription?.secret ?? options.secret!)
  print(formatGreeting({ url: subscription?.url ?? listener.urls[0]!, subscription, forward, fail }))
  if (api && subscription) watcher = createSubscriptionWatcher({ api, id: subscription.id, print })
  await shutdown
  watcher?.[Symbol.dispose]()
  await subscription
    ?.end()
    .catch((error: Error) => printError(`The subscription could not be deleted: ${error.message}`))
}

function parseFailOption(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 300 && status <= 599) return status
  throw new UsageError(`--fail takes a status from 300 to 599, not "${text}"`)
}

function parseForwardOption(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new UsageError(`--forward takes a URL such as http://127.0.0.1:3000/hooks, not "${text}"`)
}

interface LoopbackListener extends AsyncDisposable {
  /** URLs that an API may call, the most likely first. */
  urls: string[]
}

const PORT_SETTING = '--port'

/** Listens on both loopback addresses, because `localhost` may be either. */
async function listenOnLoopback(handler: RequestListener, port: number): Promise<LoopbackListener> {
  await using stack = new AsyncDisposableStack()
  const { address } = stack.use(await startHttpServer(handler, { host: '127.0.0.1', port, portSetting: PORT_SETTING }))
  const ipv6 = await startHttpServer(handler, { host: '::1', port, portSetting: PORT_SETTING }).catch(
    (error: Error) => {
      // A machine without IPv6 has no second address. A program that listens there would get the events.
      if (((error.cause ?? error) as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error
      return null
    },
  )
  if (ipv6) stack.use(ipv6)
  const listeners = stack.move()
  return { urls: [`${address}/`, `http://localhost:${port}/`], [Symbol.asyncDispose]: () => listeners.disposeAsync() }
}

interface Greeting {
  url: string
  subscription: ReceiverSubscription | null
  forward: string | null
  fail: number | null
}

function formatGreeting({ url, subscription, forward, fail }: Greeting): string {
  const source = subscription
    ? `${subscription.id}${subscription.isReused ? ', from an earlier run' : ''}: ${subscription.types.join(', ')}`
    : 'the subscription of the given secret'
  const details = [source, fail !== null && `responding with ${fail}`, forward && `forwarding to ${forward}`]
  const deletes = subscription ? ' and deletes the subscription' : ''
  return `Listening on ${url}   (${details.filter(Boolean).join('; ')})\nCtrl-C stops${deletes}.\n`
}
