import { UsageError } from '../usage-error.ts'
import {
  type ApiTarget,
  callWebhooksApi,
  createKeyRefusedError,
  type WebhooksApiResponse,
} from './webhooks-api-client.ts'

/** A subscription of this receiver. */
export interface ReceiverSubscription {
  id: string
  url: string
  secret: string
  types: string[]
  /** It was there already, left by a run that was killed. */
  again: boolean
  end(): Promise<void>
}

/** Subscribes the first of these URLs, all of this receiver, that the API may send to. */
export async function subscribeReceiver(
  api: ApiTarget,
  urls: readonly string[],
  types: string[],
): Promise<ReceiverSubscription> {
  for (const url of urls) {
    const wanted = { endpoint_url: url, event_types: types, description: 'webhooks listen' }
    const made = await callWebhooksApi(api, 'POST', '', wanted)
    if (!isBarred(made)) return subscribed(api, made, url, types)
  }
  const names = urls.map((url) => new URL(url).hostname).join(' or ')
  throw new UsageError(
    `The API at ${api.address} may not send to ${urls.join(' nor to ')}. Have its configuration name ${names} in webhooks.allow`,
  )
}

/** One that is there already is taken over: with a new secret, these types, and enabled. */
async function subscribed(
  api: ApiTarget,
  made: WebhooksApiResponse,
  url: string,
  types: string[],
): Promise<ReceiverSubscription> {
  const again = made.status === 409 && made.body.code === 'subscription_exists'
  if (made.status !== 201 && !again) throw refusal(api, made)
  const id = String(made.body.subscription_id)
  const secret = String(again ? await takenOver(api, id, types) : made.body.signing_secret)
  return { id, url, secret, types, again, end: () => end(api, id) }
}

async function takenOver(api: ApiTarget, id: string, types: string[]): Promise<unknown> {
  const changed = await callWebhooksApi(api, 'PATCH', `/${id}`, { event_types: types, status: 'ACTIVE' })
  if (changed.status !== 200) throw refusal(api, changed)
  const rotated = await callWebhooksApi(api, 'POST', `/${id}/rotate-secret`, { grace_period_seconds: 0 })
  if (rotated.status !== 200) throw refusal(api, rotated)
  return rotated.body.signing_secret
}

async function end(api: ApiTarget, id: string): Promise<void> {
  const { status } = await callWebhooksApi(api, 'DELETE', `/${id}`)
  if (status !== 204 && status !== 404) throw new Error(`the API answered ${status} to DELETE /v1/webhooks/${id}`)
}

const mistakesOf = ({ body }: WebhooksApiResponse) =>
  Array.isArray(body.detail) ? (body.detail as { type: string; msg: string }[]) : []

const isBarred = (answered: WebhooksApiResponse) => mistakesOf(answered).some(({ type }) => type === 'url_not_allowed')

/** Why there is no subscription, and what to do. */
function refusal(api: ApiTarget, answered: WebhooksApiResponse): UsageError {
  const { status, body } = answered
  if (status === 401) return createKeyRefusedError(api)
  if (status === 403)
    return new UsageError(`${body.detail} Give a secret key with the scope storefront:webhooks with --key`)
  const said =
    mistakesOf(answered)
      .map(({ msg }) => msg)
      .join('; ') || String(body.detail ?? 'nothing')
  return new UsageError(`The API at ${api.address} answered ${status}: ${said}`)
}
