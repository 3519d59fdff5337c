import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { listLedgerOrders } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../../support/fault-proxy.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper.ts'

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

describe('POST /v1/checkout with a busy system', () => {
  /** The deadline of pricing, outside of a checkout. */
  const LIMIT_MS = 300
  const CHECKOUT_LIMIT_MS = 2_500
  let between: FaultProxy
  let pricing: ProxyRoute
  let api: Api
  let shopper: CartShopper
  let aheadMs = 0
  const START = Date.now()

  before(async () => {
    between = await startFaultProxy()
    pricing = between.createRoute()
    api = await startApi({
      now: () => START + aheadMs,
      merchants: (of) => {
        const limited = of('acme', { timeoutMs: LIMIT_MS, concurrency: 1 }).pricing!
        const sandbox = { ...of('acme'), pricing: { ...limited, address: pricing.addressFor(limited.address) } }
        return [{ merchant: 'busy', live: of('acme-live'), sandbox }]
      },
    })
    shopper = await cartShopper(api, { merchant: 'busy' })
  })
  afterEach(() => {
    pricing.setPlan()
    return pricing.release()
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    await between[Symbol.asyncDispose]()
  })

  const checkOut = (path: string) => shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) })

  it('waits longer for prices than a cart does, and places the order', async () => {
    const path = await shopper.cart(line)
    pricing.setPlan(() => 'hold')
    const priced = await shopper.ask('POST', `${path}/price`)
    expect([priced.status, priced.body.code]).to.deep.equal([504, 'downstream_timeout'])
    let isLate = true
    while (isLate) {
      await pricing.release()
      pricing.setPlan(() => 'hold')
      const askedAt = performance.now()
      let hasEnded = false
      const ordering = checkOut(path).finally(() => {
        hasEnded = true
      })
      await until('its prices are asked for too', () => pricing.heldCount === 1 || hasEnded)
      await pause(LIMIT_MS + 100)
      pricing.setPlan()
      await pricing.release()
      const { status, body } = await ordering
      // A machine that stalls may take longer than a checkout waits.
      isLate = status >= 500 && performance.now() - askedAt > CHECKOUT_LIMIT_MS
      if (!isLate) expect([status, body.state], JSON.stringify(body)).to.deep.equal([200, 'placed'])
    }
  })

  it('returns overloaded, and orders nothing, when the queue is full', async () => {
    const paths = await Promise.all(Array.from({ length: 6 }, () => shopper.cart(line)))
    const { controlAddress } = api.systems.accounting
    const before = (await listLedgerOrders(controlAddress, 'acme')).length
    pricing.setPlan(() => 'hold')
    const first = checkOut(paths[0]!)
    await until('the first is asked for', () => pricing.heldCount === 1)
    // The first call used its whole deadline; the others had none left when they reached the front of the queue.
    aheadMs += LIMIT_MS
    const others = await Promise.all(paths.slice(1).map(checkOut))
    expect((await first).body.code).to.equal('downstream_timeout')
    expect((await first).status).to.equal(504)
    for (const { status, body, headers } of others) {
      expect([status, body.code]).to.deep.equal([503, 'overloaded'])
      expect(headers['retry-after']).to.match(/^\d+$/)
    }
    expect(await listLedgerOrders(controlAddress, 'acme')).to.have.length(before)
    for (const path of paths) expect(await shopper.read('GET', path)).to.include({ state: 'ACTIVE' })
  })
})
