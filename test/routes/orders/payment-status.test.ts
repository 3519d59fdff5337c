import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { setPaymentStatus } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

describe('GET /v1/checkout/:order_id/payment-status', () => {
  let api: Api
  let shopper: CartShopper
  let orderId: string
  let accountingId: string

  before(async () => {
    api = await startApi()
    shopper = await cartShopper(api)
    orderId = await shopper.order({ sku: knownSkus.inStock, quantity: 1 })
    const row = api.db.selectFrom('orders').select('placed').where('order_id', '=', orderId)
    accountingId = JSON.parse((await row.executeTakeFirstOrThrow()).placed!).order_id
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (id: string, caller = shopper) => caller.ask('GET', `/v1/checkout/${id}/payment-status`)

  it('returns NOT_REQUIRED for an order on credit terms', async () => {
    const { status, headers, body } = await read(orderId)
    const { updated_at: _, ...rest } = body
    const none = { amount: '0.00', currency: 'JMD' }
    expect(status).to.equal(200)
    expect(headers['cache-control']).to.equal('private, no-store')
    expect(rest).to.deep.equal({
      order_id: orderId,
      session_id: null,
      status: 'NOT_REQUIRED',
      amount_due: none,
      amount_paid: none,
      redirect_url: null,
      expires_at: null,
      poll_after_seconds: null,
      terminal: true,
      errors: [],
    })
  })

  for (const [status, seconds] of [
    ['PENDING', 5],
    ['PROCESSING', 2],
    ['PAID', null],
    ['FAILED', null],
    ['EXPIRED', null],
    ['CANCELLED', null],
    ['REFUNDED', null],
  ] as const) {
    it(`returns the poll interval of ${status}`, async () => {
      await setPaymentStatus(api.systems.accounting.controlAddress, 'acme', accountingId, status)
      const { body } = await read(orderId)
      expect(body).to.include({ status, poll_after_seconds: seconds, terminal: seconds === null })
    })
  }

  it('is 404 for another customer’s order', async () => {
    const stranger = await cartShopper(api, { customer: 'C-1003' })
    for (const id of [orderId, accountingId, 'none']) expect((await read(id, stranger)).status).to.equal(404)
  })
})
