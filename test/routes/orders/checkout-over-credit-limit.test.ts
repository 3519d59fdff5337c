import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../../support/fault-proxy.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 2 }
const cash = { payment_method: 'CASH_ON_DELIVERY' }

describe('POST /v1/checkout with an accounting system that enforces the credit limit', () => {
  let between: FaultProxy
  let ledger: ProxyRoute
  let api: Api
  let shopper: CartShopper

  before(async () => {
    between = await startFaultProxy()
    ledger = between.createRoute()
    api = await startApi({
      merchants: (of) => {
        const { accounting, ...others } = of('acme')
        const sandbox = { ...others, accounting: { ...accounting!, address: ledger.addressFor(accounting!.address) } }
        return [{ merchant: 'strict', live: of('acme-live'), sandbox }]
      },
    })
    shopper = await cartShopper(api, { merchant: 'strict' })
  })
  afterEach(() => ledger.setPlan())
  after(async () => {
    await api[Symbol.asyncDispose]()
    await between[Symbol.asyncDispose]()
  })

  const refusing = (answer: object, then: number[] = []) => {
    let refused = false
    ledger.setPlan((_, body) => {
      if (body.includes('"reference":"ord_')) {
        refused = true
        return { status: 200, body: JSON.stringify({ state: 'refused', skus: [], ...answer }) }
      }
      return refused && then[0] ? { status: then[0] } : undefined
    })
  }
  const over = { reason: 'OVER_CREDIT_LIMIT', available_credit: '10.00' }

  for (const [how, then] of [
    ['with what is owed, as it is then read', []],
    ['though nothing more can be read', [500]],
  ] as const)
    it(`returns the shortfall of an order with cash on delivery, ${how}`, async () => {
      const path = await shopper.cart(line)
      refusing(over, [...then])
      const { status, body } = await shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1), ...cash })
      expect([status, body.state, body.order_id], JSON.stringify(body)).to.deep.equal([200, 'over_credit_limit', null])
      expect(Number(body.shortfall.amount)).to.be.closeTo(Number(body.totals.total.amount) - 10, 0.001)
      expect(body.credit).to.deep.include({ enabled: true, would_exceed: true, shortfall: body.shortfall })
      expect(body.credit.available_credit.amount).to.equal('10.00')
      expect(body.remedies).to.deep.equal(then.length > 0 ? ['REDUCE_ORDER'] : ['REDUCE_ORDER', 'PAY_BALANCE'])
      expect(await shopper.read('GET', path)).to.include({ state: 'ACTIVE', order_id: null })
    })

  it('returns the shortfall from the credit that it reads, when the rejection names none', async () => {
    const path = await shopper.cart(line)
    const credit = await shopper.ask('GET', '/v1/me/credit-status')
    refusing({ reason: 'OVER_CREDIT_LIMIT', available_credit: null })
    const { body } = await shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1), ...cash })
    expect(body.state).to.equal('over_credit_limit')
    expect(body.credit.available_credit).to.deep.equal(credit.body.available_credit)
  })

  it('reports a changed total, not a higher one, without expected_total', async () => {
    const path = await shopper.cart(line)
    const cart_id = path.split('/').at(-1)
    refusing({ reason: 'TOTALS_DISAGREE', available_credit: null })
    const { status, body } = await shopper.ask('POST', '/v1/checkout', { cart_id })
    expect([status, body.code]).to.deep.equal([409, 'price_changed'])
    expect(body.detail).to.equal('The total has changed. Price the cart again and show it.')
    const low = { expected_total: { amount: '0.01', currency: 'JMD' } }
    const dearer = await shopper.ask('POST', '/v1/checkout', { cart_id, ...low })
    expect(dearer.body.detail).to.equal('The total is higher than expected_total. Show the cart to the shopper again.')
  })
})
