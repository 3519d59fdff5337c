/** The address and the keys of a running demo. */
export interface ForecourtKeys {
  url: string
  publishable: string
  secret: string
}

export interface OutcomeExchange {
  method: string
  path: string
  status: number
  headers: Record<string, string>
  body: unknown
}

interface Step {
  path: string
  body?: unknown
  headers?: Record<string, string>
}
type Send = (step: Step) => Promise<Record<string, string>>

const PASSWORD = 'sandbox-shopper-1'
const KEPT_HEADERS = ['forecourt-complete', 'retry-after', 'x-request-id', 'x-service-mode']
/** Of the demo itself. */
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\//g
const PRICING_FAILS = { 'X-Sandbox-Fault': 'pricing=timeout' }
const INVENTORY_FAILS = { 'X-Sandbox-Fault': 'inventory=unavailable' }

/** What a shopper does on the way to an order, up to the checkout. */
interface Purchase {
  email: string
  sku?: string
  checkout?: Record<string, unknown>
}

const product = (sku: string, headers = {}) => ({ path: `/v1/products/${sku}`, headers })
const reads: Record<string, Step[]> = {
  in_stock: [product('BP-1001')],
  low_stock: [product('BP-1002')],
  out_of_stock: [product('BP-1003')],
  no_price: [product('BP-1009')],
  not_found: [product('BP-1010')],
  product_without_price: [product('BP-1001', PRICING_FAILS)],
  product_unavailable: [product('BP-1001', INVENTORY_FAILS)],
  list: [{ path: '/v1/products?limit=3' }],
  list_without_prices: [{ path: '/v1/products?limit=3', headers: PRICING_FAILS }],
}
const purchases: Record<string, Purchase> = {
  placed: { email: 'parts@mobay-garage.example' },
  over_credit_limit: { email: 'desk@negril-hire.example' },
  price_changed: {
    email: 'parts@mobay-garage.example',
    checkout: { expected_total: { amount: '0.01', currency: 'JMD' } },
  },
  line_unavailable: { email: 'parts@mobay-garage.example', sku: 'BP-1003' },
}

/** Plays each outcome against a demo and returns the exchanges. */
export async function recordOutcomes(keys: ForecourtKeys): Promise<Record<string, OutcomeExchange[]>> {
  const recorded: Record<string, OutcomeExchange[]> = {}
  for (const [name, steps] of Object.entries(reads))
    recorded[name] = await record(keys, async (send) => {
      for (const step of steps) await send(step)
    })
  for (const [name, purchase] of Object.entries(purchases))
    recorded[name] = await record(keys, (send) => buy(send, purchase))
  return recorded
}

async function buy(send: Send, { email, sku = 'BP-1001', checkout }: Purchase): Promise<void> {
  const { shopper_token } = await send({ path: '/v1/shoppers/login', body: { email, password: PASSWORD } })
  const headers = { 'X-Storefront-Shopper-Token': shopper_token! }
  const { cart_id } = await send({ path: '/v1/carts', body: {}, headers })
  await send({ path: `/v1/carts/${cart_id}/lines`, body: { sku, quantity: 1 }, headers })
  await send({ path: `/v1/carts/${cart_id}/price`, body: {}, headers })
  const body = { cart_id, payment_method: 'CREDIT_TERMS', ...checkout }
  const { order_id } = await send({ path: '/v1/checkout', body, headers })
  if (order_id) await send({ path: `/v1/orders/${order_id}`, headers })
}

async function record(keys: ForecourtKeys, play: (send: Send) => Promise<void>): Promise<OutcomeExchange[]> {
  const exchanges: OutcomeExchange[] = []
  await play(async ({ path, body, headers = {} }) => {
    const needsSecret = 'X-Storefront-Shopper-Token' in headers
    const authorization = `Bearer ${needsSecret ? keys.secret : keys.publishable}`
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(keys.url + path, {
      method,
      headers: { ...headers, authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = (await response.text()).replace(ADDRESS, 'https://forecourt.example/')
    const answer = JSON.parse(text) as Record<string, string>
    const kept = KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    const pattern = path.replace(/\?.*/, '').replace(/\/(?:cart|ord)_\w+/, '/*')
    const recorded = withoutTokens(answer)
    exchanges.push({
      method,
      path: pattern,
      status: response.status,
      headers: Object.fromEntries(kept),
      body: recorded,
    })
    return answer
  })
  return exchanges
}

/** Replaces tokens, because the recording is published. */
const withoutTokens = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, /^\w+_token$/.test(name) ? `recorded-${name}` : value]),
  )
