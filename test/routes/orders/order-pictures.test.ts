import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

describe('the pictures of the lines of an order', () => {
  let api: Api
  let shopper: CartShopper
  let order_id: string

  before(async () => {
    api = await startApi()
    shopper = await cartShopper(api)
    const cart = await shopper.cart({ sku: knownSkus.inStock, quantity: 1 }, { sku: knownSkus.noPictures, quantity: 1 })
    const { body, text } = await shopper.ask('POST', '/v1/checkout', { cart_id: cart.split('/').at(-1) })
    expect(body.state, text).to.equal('placed')
    order_id = body.order_id
  })
  afterEach(() => api.clearFaults())
  after(() => api[Symbol.asyncDispose]())

  const thumbsOf = (body: { lines: { sku: string; thumb_url: string | null }[] }) =>
    body.lines.map(({ sku, thumb_url }) => [sku, thumb_url])
  const read = () => shopper.ask('GET', `/v1/orders/${order_id}`)

  it('are those that the products have now, and null for a product without one', async () => {
    const { body: product } = await shopper.ask('GET', `/v1/products/${knownSkus.inStock}`)
    const { body } = await read()
    expect(body.errors).to.deep.equal([])
    expect(thumbsOf(body)).to.deep.equal([
      [knownSkus.inStock, product.media[0].thumb_url],
      [knownSkus.noPictures, null],
    ])
  })

  it('are missing while inventory fails, and the order is returned', async () => {
    const healthy = (await read()).body
    const { status, body, headers } = await shopper.ask('GET', `/v1/orders/${order_id}`, undefined, {
      'x-sandbox-fault': 'inventory=error',
    })
    expect([status, headers['forecourt-complete']]).to.deep.equal([200, 'false'])
    expect(thumbsOf(body).map(([, url]) => url)).to.deep.equal([null, null])
    const { errors, lines, ...rest } = body
    expect(errors).to.have.length(1)
    expect(errors[0]).to.include({ field: 'media', code: 'downstream_error' })
    const { errors: _, lines: healthyLines, ...healthyRest } = healthy
    expect(rest).to.deep.equal(healthyRest)
    expect(lines).to.deep.equal(healthyLines.map((line: object) => ({ ...line, thumb_url: null })))
  })

  it('are in the response to a cancellation too', async () => {
    const { status, body } = await shopper.ask('POST', `/v1/orders/${order_id}/cancel`, {})
    expect([status, body.status]).to.deep.equal([200, 'CANCELLED'])
    expect(thumbsOf(body)).to.deep.equal(thumbsOf((await read()).body))
  })
})
