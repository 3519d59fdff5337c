import { expect } from 'chai'
import { createRouteSuggestion } from '../../../src/http/responses/route-suggestion.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'

const suggest = createRouteSuggestion(apiRoutes.map(({ path, method }) => ({ path, methods: [method] })))

describe('the suggestion for an unknown path', () => {
  for (const { method, path } of apiRoutes) {
    const sent = path.replace(/:\w+/g, 'x1')
    const named = `Did you mean ${method} ${path.replace(/:(\w+)/g, '{$1}')}?`
    it(`names ${named}, however it is misspelled`, () => {
      for (const wrong of [
        `${sent}/`,
        `/${sent}`,
        sent.replace('/v1', ''),
        `/api${sent}`,
        sent.replace('/v1', '/V1'),
        sent.toUpperCase(),
        sent.replaceAll('-', '_'),
      ])
        expect(suggest(method, wrong), wrong).to.equal(named)
    })
  }

  for (const path of [
    '/',
    '//',
    '/v1',
    '/v1/wishlists',
    '/favicon.ico',
    `/v1/${'products/'.repeat(100)}`,
    '/%00',
    '/v1/carts/a/b/c/d',
  ])
    it(`is none for ${path.slice(0, 40)}`, () => {
      expect(suggest('GET', path)).to.equal(null)
    })

  const others =
    'login auth/login token auth/token logout auth/logout register signup auth/register shoppers/register shoppers/me customers/me account profile search products/x/stock products/x/inventory products/x/price carts/x/checkout carts/x/items carts/x/items/y carts/x/coupons invoices/x/pdf products.json inventory/x stock/x availability/x prices pricing prices/x customers/x shoppers/x me/orders me/invoices me/cart me/addresses addresses vehicles orders/x/payment-status orders/x/tracking orders/x/shipments webhooks/x/test'
  it('names a route that exists for each path of another API', () => {
    const known = apiRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    for (const path of others.split(' ')) {
      const [route] = suggest('GET', `/v1/${path}`)!.replace('Did you mean ', '').split(/[?,:]/)
      expect(known, path).to.include(route)
    }
  })

  it('names the method that was sent if a path of another API has it', () => {
    const line = '/v1/carts/{cart_id}/lines/{line_id}'
    for (const [asked, path, named] of [
      ['DELETE', 'carts/x/items/y', `DELETE ${line}`],
      ['PATCH', 'carts/x/items/y', `PATCH ${line}`],
      ['PUT', 'carts/x/items/y', `PATCH ${line}`],
      ['GET', 'carts/x/items', 'GET /v1/carts/{cart_id}'],
      ['HEAD', 'carts/x/items', 'GET /v1/carts/{cart_id}'],
      ['POST', 'carts/x/items', 'POST /v1/carts/{cart_id}/lines'],
    ] as const)
      expect(suggest(asked, `/v1/${path}`), `${asked} ${path}`).to.equal(`Did you mean ${named}?`)
  })

  it('names a route of another method when there is none of the same', () => {
    expect(suggest('PUT', '/v1/checkouts')).to.equal('Did you mean POST /v1/checkout?')
  })
})
