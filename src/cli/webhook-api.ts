import { defaults, environment } from '../config.ts'
import { keptKeys } from './demo-keys.ts'
import { UsageError } from './keys.ts'

const DEFAULT_API = 'http://127.0.0.1:8080'
const PATIENCE_MS = 15_000

/** A running API, and who asks. */
export interface RunningApi {
  address: string
  key: string
}

/** A subscription of this receiver. */
export interface Subscribed {
  id: string
  secret: string
  types: string[]
  /** It was there already, left by a run that was killed. */
  again: boolean
  end(): Promise<void>
}

/** From the command line and the environment. The demo's own key is for an API on this machine alone. */
export function apiOf(options: { api?: string; key?: string }): RunningApi {
  const address = (options.api ?? DEFAULT_API).replace(/\/+$/, '')
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--api takes a URL such as ${DEFAULT_API}, not "${address}"`)
  const here = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  const key = options.key ?? environment.FORECOURT_KEY ?? (here ? keptKeys(defaults().dataDirectory).secret : undefined)
  if (!key)
    throw new UsageError('Give a secret key with --key or FORECOURT_KEY; or start the demo here: npx forecourt demo')
  return { address, key }
}

/** Subscribes that URL. One that is there already is taken over: with a new secret, these types, and enabled. */
export async function subscribe(api: RunningApi, url: string, types: string[]): Promise<Subscribed> {
  const made = await call(api, 'POST', '', { endpoint_url: url, event_types: types, description: 'webhooks listen' })
  const again = made.status === 409 && made.body.code === 'subscription_exists'
  if (made.status !== 201 && !again) throw refusal(api, made, url)
  const id = String(made.body.subscription_id)
  const secret = String(again ? await takenOver(api, id, types, url) : made.body.signing_secret)
  return { id, secret, types, again, end: () => end(api, id) }
}

async function takenOver(api: RunningApi, id: string, types: string[], url: string): Promise<unknown> {
  const changed = await call(api, 'PATCH', `/${id}`, { event_types: types, status: 'ACTIVE' })
  if (changed.status !== 200) throw refusal(api, changed, url)
  const rotated = await call(api, 'POST', `/${id}/rotate-secret`, { grace_period_seconds: 0 })
  if (rotated.status !== 200) throw refusal(api, rotated, url)
  return rotated.body.signing_secret
}

async function end(api: RunningApi, id: string): Promise<void> {
  const { status } = await call(api, 'DELETE', `/${id}`)
  if (status !== 204 && status !== 404) throw new Error(`the API answered ${status} to DELETE /v1/webhooks/${id}`)
}

interface Answered {
  status: number
  body: { [member: string]: unknown; code?: string; detail?: unknown }
}

async function call({ address, key }: RunningApi, method: string, path: string, body?: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  let answer: Response
  try {
    answer = await fetch(`${address}/v1/webhooks${path}`, { ...sent, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch {
    throw new UsageError(`No API answers at ${address}. Start one with: npx forecourt demo (or name it with --api)`)
  }
  const text = await answer.text()
  try {
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  } catch {
    throw new UsageError(`What answers at ${address} is not a Forecourt. Name one with --api`)
  }
}

/** Why there is no subscription, and what to do. */
function refusal({ address }: RunningApi, { status, body }: Answered, url: string): UsageError {
  const mistakes = Array.isArray(body.detail) ? (body.detail as { type: string; msg: string }[]) : []
  if (status === 401) return new UsageError(`The API at ${address} refuses the key. Give a secret key with --key`)
  if (status === 403)
    return new UsageError(`${body.detail} Give a secret key with the scope storefront:webhooks with --key`)
  if (mistakes.some(({ type }) => type === 'url_not_allowed'))
    return new UsageError(
      `The API at ${address} may not send to ${url}. Have its configuration name ${new URL(url).hostname} in webhooks.allow`,
    )
  const said = mistakes.map(({ msg }) => msg).join('; ') || String(body.detail ?? 'nothing')
  return new UsageError(`The API at ${address} answered ${status}: ${said}`)
}
