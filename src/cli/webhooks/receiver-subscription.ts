import { UsageError } from '../usage-error.ts'
import type { ApiTarget } from './api-target.ts'
import { createKeyRefusedError } from './key-refused-error.ts'
import { callWebhooksApi, type WebhooksApiResponse } from './webhooks-api-client.ts'

/** The subscription of this receiver. */
export interface ReceiverSubscription {
  id: string
  url: string
  secret: string
  types: string[]
  /** It existed already, from a run that was killed. */
  isReused: boolean
  end(): Promise<void>
}

/** Subscribes this receiver with the first of its URLs that the API may send to. */
export async function subscribeReceiver(
  api: ApiTarget,
  urls: readonly string[],
  types: string[],
): Promise<ReceiverSubscription> {
  for (const url of urls) {
    const subscription = { endpoint_url: url, event_types: types, description: 'webhooks listen' }
    const response = await callWebhooksApi(api, 'POST', '', subscription)
    if (!isUrlNotAllowed(response)) return toSubscription(api, response, url, types)
  }
  const hosts = urls.map((url) => new URL(url).hostname).join(' or ')
  throw new UsageError(
    `The API at ${api.address} may not send to ${urls.join(' or ')}. Add ${hosts} to webhooks.allow in its configuration`,
  )
}

/** An existing subscription is reused: enabled, with these types and a new secret. */
async function toSubscription(
  api: ApiTarget,
  response: WebhooksApiResponse,
  url: string,
  types: string[],
): Promise<ReceiverSubscription> {
  const { status, body } = response
  const isReused = status === 409 && body.code === 'subscription_exists'
  if (status !== 201 && !isReused) throw createRefusalError(api, response)
  const id = String(body.subscription_id)
  const secret = String(isReused ? await resetSubscription(api, id, types) : body.signing_secret)
  return { id, url, secret, types, isReused, end: () => deleteSubscription(api, id) }
}

/** Returns the new secret. */
async function resetSubscription(api: ApiTarget, id: string, types: string[]): Promise<unknown> {
  const updated = await callWebhooksApi(api, 'PATCH', `/${id}`, { event_types: types, status: 'ACTIVE' })
  if (updated.status !== 200) throw createRefusalError(api, updated)
  const rotated = await callWebhooksApi(api, 'POST', `/${id}/rotate-secret`, { grace_period_seconds: 0 })
  if (rotated.status !== 200) throw createRefusalError(api, rotated)
  return rotated.body.signing_secret
}

async function deleteSubscription(api: ApiTarget, id: string): Promise<void> {
  const { status } = await callWebhooksApi(api, 'DELETE', `/${id}`)
  if (status !== 204 && status !== 404) throw new Error(`DELETE /v1/webhooks/${id} returned ${status}`)
}

const validationErrors = ({ body }: WebhooksApiResponse) =>
  Array.isArray(body.detail) ? (body.detail as { type: string; msg: string }[]) : []

const isUrlNotAllowed = (response: WebhooksApiResponse) =>
  validationErrors(response).some(({ type }) => type === 'url_not_allowed')

/** Returns the error for a refused subscription, with a remedy. */
function createRefusalError(api: ApiTarget, response: WebhooksApiResponse): UsageError {
  const { status, body } = response
  if (status === 401) return createKeyRefusedError(api)
  if (status === 403)
    return new UsageError(`${body.detail} Give a secret key with the scope storefront:webhooks with --key`)
  const messages = validationErrors(response).map(({ msg }) => msg)
  const detail = messages.join('; ') || String(body.detail ?? 'no detail')
  return new UsageError(`The API at ${api.address} returned ${status}: ${detail}`)
}
