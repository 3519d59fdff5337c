import { expect } from 'chai'
import { setupServer } from 'msw/node'
import { replayOutcome } from '../../src/client/msw.ts'
import { createForecourt, sectionError } from '../../src/client/server.ts'

describe('the outcomes for MSW', () => {
  const server = setupServer()
  const shop = createForecourt({ url: 'http://forecourt.example', key: 'svc_test_sec_x' })

  before(() => server.listen())
  afterEach(() => server.resetHandlers())
  after(() => server.close())

  it('give a product without a price', async () => {
    server.use(...replayOutcome('product_without_price'))
    const product = await shop.getProduct({ sku: 'BP-1001' })
    expect([product.sku, product.price, sectionError(product, 'price')?.code]).to.deep.equal([
      'BP-1001',
      null,
      'downstream_timeout',
    ])
  })

  it('go from sign-in to an order over the credit limit, a changed price, and a line that cannot be sold', async () => {
    const checkOut = async () => {
      const session = await shop.logInShopper({ body: { email: 'a@shopper.example', password: 'any' } })
      const shopper = shop.forShopper(session)
      const { cart_id } = await shopper.createCart()
      await shopper.addCartLine({ cart_id, body: { sku: 'BP-1001', quantity: 1 } })
      return shopper.checkout({ body: { cart_id, payment_method: 'CREDIT_TERMS' } })
    }
    server.use(...replayOutcome('over_credit_limit'))
    expect((await checkOut()).state).to.equal('over_credit_limit')
    server.resetHandlers(...replayOutcome('price_changed', { url: 'http://forecourt.example' }))
    const risen = await checkOut().catch((error: unknown) => error)
    expect(risen).to.include({ status: 409, code: 'price_changed' })
    expect(risen).to.have.nested.property('cart.totals.total.currency', 'JMD')
    server.resetHandlers(...replayOutcome('line_unavailable', { url: 'http://forecourt.example' }))
    expect(await checkOut().catch((error: unknown) => error)).to.have.deep.property('skus', ['BP-1003'])
  })
})
