import { shopWebhook } from '../../shop/server/product-events.ts'
import { printError } from '../print.ts'
import { type ApiTarget, callWebhooksApi } from '../webhooks/webhooks-api-client.ts'

/** Tells the subscription of the demo's shop from those of other receivers. */
const DESCRIPTION = 'The shop of the demo'

/**
 * Subscribes the demo's shop to events, as the developer of a shop does once, and returns the signing secret. The subscription of an earlier start
 * is used again, also on another port. When there can be none, the shop works without events.
 */
export async function subscribeDemoShop(address: string, secretKey: string): Promise<string> {
  const api = { address, key: secretKey, demoKeyDirectory: null }
  try {
    return await subscribe(api, {
      endpoint_url: address + shopWebhook.path,
      event_types: shopWebhook.eventTypes,
      description: DESCRIPTION,
    })
  } catch (error) {
    printError(`The shop shows changes only after a reload: ${(error as Error).message}`)
    return ''
  }
}

async function subscribe(api: ApiTarget, subscription: object): Promise<string> {
  const known = (await call(api, 'GET', '')) as unknown as { subscription_id: string; description: string | null }[]
  const found = known.find(({ description }) => description === DESCRIPTION)
  if (!found) return String((await call(api, 'POST', '', subscription)).signing_secret)
  await call(api, 'PATCH', `/${found.subscription_id}`, { ...subscription, status: 'ACTIVE' })
  const rotation = { grace_period_seconds: 0 }
  return String((await call(api, 'POST', `/${found.subscription_id}/rotate-secret`, rotation)).signing_secret)
}

async function call(api: ApiTarget, method: string, path: string, body?: object) {
  const response = await callWebhooksApi(api, method, path, body)
  if (response.status < 400) return response.body
  throw new Error(`${method} /v1/webhooks${path} returned ${response.status} (${JSON.stringify(response.body.detail)})`)
}
