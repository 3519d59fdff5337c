import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { promotionCodes } from '../../../fixtures/promotions.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const MINUTE_MS = 60_000
const START = Date.now()
const money = (amount: string) => ({ amount, currency: 'JMD' })
const unit = { sku: 'BP-1001', quantity: 1 }

describeWithAndWithoutMirror('POST /v1/carts/:cart_id/price', (mirror) => {
  let api: Api
  let shopper: CartShopper
  let lateMs = 0

  before(async () => {
    api = await startApi({ mirror, now: () => START + lateMs })
    await api.fillMirror()
    shopper = await cartShopper(api)
  })
  afterEach(async () => {
    lateMs = 0
    await api.clearFaults()
  })
  after(() => api[Symbol.asyncDispose]())

  it('returns amounts for each line, totals, and a credit preview', async () => {
    const path = await shopper.cart(unit)
    const { lines, totals, pricing, credit, errors } = await shopper.read('POST', `${path}/price`)
    const { unit_price, list_unit_price, discount, tax, line_total } = lines[0]!
    expect({ unit_price, list_unit_price, discount, tax, line_total }).to.deep.equal({
      unit_price: money('5445.44'),
      list_unit_price: money('6188.00'),
      discount: money('0.00'),
      tax: money('816.82'),
      line_total: money('6262.26'),
    })
    const GCT = { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' }
    expect(totals).to.deep.equal({
      subtotal: money('5445.44'),
      discount_total: money('0.00'),
      tax_total: money('816.82'),
      shipping_total: money('0.00'),
      total: money('6262.26'),
      taxes: [{ ...GCT, base: money('5445.44'), amount: money('816.82') }],
      tax_included: false,
    })
    expect(pricing.state).to.equal('PRICED')
    expect(Date.parse(pricing.expires_at!) - Date.parse(pricing.priced_at!)).to.equal(15 * MINUTE_MS)
    expect(credit).to.include({ enabled: true, would_exceed: false, shortfall: null })
    expect(errors).to.deep.equal([])
    expect(await shopper.read('GET', path)).to.deep.include({ totals, pricing, credit, lines })
  })

  it('returns the shortfall of a total above the credit', async () => {
    const path = await shopper.cart({ sku: 'BP-1001', quantity: 500 })
    const { totals, credit } = await shopper.read('POST', `${path}/price`)
    const hundredths = (of: { amount: string } | null) => BigInt(of!.amount.replace('.', ''))
    expect(credit!.would_exceed).to.equal(true)
    expect(hundredths(credit!.shortfall)).to.equal(hundredths(totals!.total) - hundredths(credit!.available_credit))
  })

  it('returns a disabled credit preview without a credit account', async () => {
    const cash = await cartShopper(api, { customer: 'C-1009' })
    const { credit } = await cash.read('POST', `${await cash.cart(unit)}/price`)
    const { as_of: _, ...rest } = credit!
    expect(rest).to.deep.equal({ enabled: false, would_exceed: false, shortfall: null, available_credit: null })
  })

  it('is valid until the cart changes', async () => {
    const path = await shopper.cart(unit)
    const { pricing } = await shopper.read('POST', `${path}/price`)
    const changed = await shopper.read('POST', `${path}/lines`, unit)
    expect(changed).to.deep.include({ totals: null, credit: null, pricing: { ...pricing, state: 'STALE' } })
    expect(changed.lines[0]).to.deep.include({ unit_price: null, line_total: null, quantity: 2 })
  })

  it('is valid for 15 minutes', async () => {
    const path = await shopper.cart(unit)
    await shopper.read('POST', `${path}/price`)
    lateMs = 14 * MINUTE_MS
    expect((await shopper.read('GET', path)).pricing.state).to.equal('PRICED')
    lateMs = 15 * MINUTE_MS + 1_000
    const { pricing, totals, credit } = await shopper.read('GET', path)
    expect({ state: pricing.state, totals, credit }).to.deep.equal({ state: 'STALE', totals: null, credit: null })
  })

  it('reads live prices, whatever was cached', async () => {
    const individual = await cartShopper(api, { customer: 'C-1009' })
    const path = await individual.cart({ sku: 'BP-1020', quantity: 1 })
    await individual.read('POST', `${path}/price`)
    await setPrice(api.systems.pricing.controlAddress, 'acme', 'BP-1020', '777.77')
    const { lines } = await individual.read('POST', `${path}/price`)
    expect(lines[0]!.unit_price).to.deep.equal(money('777.77'))
  })

  it('leaves a cart without a total where a product has no price', async () => {
    const path = await shopper.cart(unit, { sku: knownSkus.unpriced, quantity: 1 })
    const { lines, totals, pricing, credit, warnings } = await shopper.read('POST', `${path}/price`)
    expect({ totals, credit, state: pricing.state }).to.deep.equal({ totals: null, credit: null, state: 'UNPRICED' })
    expect(lines[0]!.line_total).to.deep.equal(money('6262.26'))
    expect(lines[1]).to.include({ unit_price: null, discount: null, tax: null, line_total: null })
    expect(warnings.map(({ code, line_id }) => [code, line_id])).to.deep.include([
      'PRICE_UNAVAILABLE',
      lines[1]!.line_id,
    ])
  })

  it('prices an empty cart at zero', async () => {
    const { totals, pricing } = await shopper.read('POST', `${await shopper.cart()}/price`)
    expect([totals!.total, totals!.taxes, pricing.state]).to.deep.equal([money('0.00'), [], 'PRICED'])
  })

  for (const [fault, status, code] of [
    ['pricing=timeout', 504, 'downstream_timeout'],
    ['pricing=unavailable', 503, 'downstream_unavailable'],
    ['accounting=error', 502, 'downstream_error'],
    ['accounting=invalid', 502, 'downstream_error'],
  ] as const) {
    it(`leaves the cart as it was after ${fault}`, async () => {
      const path = await shopper.cart(unit)
      const before = await shopper.read('POST', `${path}/price`)
      const reply = await shopper.ask('POST', `${path}/price`, undefined, { 'x-sandbox-fault': fault })
      expect([reply.status, reply.body.code]).to.deep.equal([status, code])
      expect(reply.headers).to.have.property('retry-after')
      expect(await shopper.read('GET', path)).to.deep.equal(before)
    })
  }

  it('exempts an exempt customer', async () => {
    const exempt = await cartShopper(api, { customer: 'C-1005' })
    const { totals } = await exempt.read('POST', `${await exempt.cart(unit)}/price`)
    expect(totals!.tax_total).to.deep.equal(money('0.00'))
  })

  it('needs no call to a system for a later read of the cart', async () => {
    const path = await shopper.cart(unit)
    await shopper.read('POST', `${path}/price`)
    await shopper.read('GET', path)
    await Promise.all((['pricing', 'accounting'] as const).map((system) => api.fault(system, { status: 500 })))
    expect((await shopper.read('GET', path)).errors).to.deep.equal([])
  })

  it('subtracts promotions before tax', async () => {
    const path = await shopper.cart(unit)
    await shopper.read('POST', `${path}/promotions`, { code: promotionCodes.share })
    const { lines, totals, promotions } = await shopper.read('POST', `${path}/price`)
    expect(lines[0]).to.deep.include({ discount: money('544.54'), tax: money('735.14'), line_total: money('5636.04') })
    expect(totals!.discount_total).to.deep.equal(money('544.54'))
    expect(promotions).to.deep.equal([
      {
        code: 'WELCOME10',
        status: 'APPLIED',
        reason: null,
        description: '10 % off everything',
        discount: money('544.54'),
      },
    ])
  })
})
