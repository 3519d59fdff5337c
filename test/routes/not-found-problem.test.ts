import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'

const UUID = '00000000-0000-4000-8000-000000000000'
const quantity = { quantity: 1 }

/** Requests for what does not exist, and the kind that the response names. */
const requests: readonly (readonly [method: string, path: string, kind: string, body?: object])[] = [
  ['GET', '/v1/nowhere', 'route'],
  ['GET', '/v1/products/NO-SUCH', 'product'],
  ['GET', `/v1/products/${'x'.repeat(129)}`, 'product'],
  ['GET', '/v1/products/NO-SUCH/availability', 'product'],
  ['GET', '/v1/products/NO-SUCH/fitments', 'product'],
  ['GET', '/v1/vehicles/999999/products', 'vehicle'],
  ['GET', '/v1/vehicles/-1/products', 'vehicle'],
  ['GET', '/media/acme/sandbox/x/y/thumb.webp', 'picture'],
  ['GET', `/v1/carts/${UUID}`, 'cart'],
  ['POST', `/v1/carts/${UUID}/lines`, 'cart', { sku: 'BP-1001', ...quantity }],
  ['PATCH', `/v1/carts/CART/lines/${UUID}`, 'cart line', quantity],
  ['DELETE', `/v1/carts/CART/lines/${UUID}`, 'cart line'],
  ['DELETE', '/v1/carts/CART/promotions/NONE', 'promotion'],
  ['POST', '/v1/checkout', 'cart', { cart_id: UUID }],
  ['GET', '/v1/orders/NO-SUCH', 'order'],
  ['GET', `/v1/orders/${'x'.repeat(129)}`, 'order'],
  ['POST', '/v1/orders/NO-SUCH/cancel', 'order', {}],
  ['GET', '/v1/checkout/NO-SUCH/payment-status', 'order'],
  ['POST', '/v1/products/NO-SUCH/back-in-stock', 'product'],
  ['DELETE', '/v1/products/NO-SUCH/back-in-stock', 'request for this product'],
  ['GET', '/v1/invoices/NO-SUCH', 'invoice'],
  ['GET', `/v1/invoices/${'x'.repeat(129)}`, 'invoice'],
  ['GET', '/v1/invoices/NO-SUCH/document', 'invoice'],
  ['GET', `/v1/webhooks/${UUID}`, 'subscription'],
  ['PATCH', `/v1/webhooks/${UUID}`, 'subscription', { description: 'x' }],
  ['DELETE', `/v1/webhooks/${UUID}`, 'subscription'],
  ['POST', `/v1/webhooks/${UUID}/ping`, 'subscription'],
  ['POST', `/v1/webhooks/${UUID}/disable`, 'subscription'],
  ['POST', `/v1/webhooks/${UUID}/rotate-secret`, 'subscription', {}],
  ['POST', `/v1/webhooks/${UUID}/recover`, 'subscription', { since: '2026-01-01T00:00:00Z' }],
  ['GET', `/v1/webhooks/${UUID}/deliveries`, 'subscription'],
  ['GET', `/v1/webhooks/HOOK/deliveries/${UUID}`, 'delivery'],
  ['POST', `/v1/webhooks/HOOK/deliveries/${UUID}/redeliver`, 'delivery'],
  ['POST', '/hooks/acme/nothing', 'system', {}],
]

describe('a response with 404', () => {
  let api: Api
  let headers: Record<string, string>
  let key: string
  let cart: string
  let subscription: string

  before(async () => {
    api = await startApi()
    key = await api.key({ kind: 'secret' })
    headers = { 'X-Storefront-Shopper-Token': await api.shopperToken() }
    cart = (await api.request('/v1/carts', { method: 'POST', key, headers, body: {} })).body.cart_id
    const endpoint = { endpoint_url: 'http://127.0.0.1:443/hooks', event_types: ['*'] }
    subscription = (await api.request('/v1/webhooks', { method: 'POST', key, body: endpoint })).body.subscription_id
  })
  after(() => api[Symbol.asyncDispose]())

  for (const [method, path, kind, body] of requests)
    it(`says that there is no such ${kind}: ${method} ${path.slice(0, 60)}`, async () => {
      const to = path.replace('CART', cart).replace('HOOK', subscription)
      const response = await api.request(to, { method, key, headers, ...(body && { body }) })
      expect(response.body).to.include({ status: 404, code: 'not_found' })
      expect(response.body.detail).to.match(new RegExp(`^There is no such ${kind}[.;]`))
    })
})
