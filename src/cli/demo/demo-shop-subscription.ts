import { shopWebhook } from '../../shop/server/product-events.ts'
import { printError } from '../print.ts'

const TIMEOUT_MS = 15_000
/** Tells the subscription of the demo's shop from those of other receivers. */
const DESCRIPTION = 'The shop of the demo'

/**
 * Subscribes the demo's shop to events, as the developer of a shop does once, and returns the signing secret. The subscription of an earlier start
 * is used again, also on another port. When there can be none, the shop works without events.
 */
export async function subscribeDemoShop(address: string, secretKey: string): Promise<string> {
  try {
    return await subscribe(createCall(address, secretKey), {
      endpoint_url: address + shopWebhook.path,
      event_types: shopWebhook.eventTypes,
      description: DESCRIPTION,
    })
  } catch (error) {
    printError(`The shop shows changes only after a reload: ${(error as Error).message}`)
    return ''
  }
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>
type WithSecret = { signing_secret: string }

async function subscribe(call: Call, subscription: object): Promise<string> {
  const known = (await call('GET', '')) as { subscription_id: string; description: string | null }[]
  const found = known.find(({ description }) => description === DESCRIPTION)
  if (!found) return ((await call('POST', '', subscription)) as WithSecret).signing_secret
  await call('PATCH', `/${found.subscription_id}`, { ...subscription, status: 'ACTIVE' })
  const rotation = { grace_period_seconds: 0 }
  return ((await call('POST', `/${found.subscription_id}/rotate-secret`, rotation)) as WithSecret).signing_secret
}

function createCall(address: string, secretKey: string): Call {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const request = { method, headers, signal, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${address}/v1/webhooks${path}`, request)
    if (!response.ok) throw new Error(`${method} /v1/webhooks${path} returned ${response.status}`)
    return response.json()
  }
}
