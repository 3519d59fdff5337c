import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { listLedgerOrders } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../../support/fault-proxy.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 2 }

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
