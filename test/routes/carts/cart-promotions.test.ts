import { expect } from 'chai'
import { promotionCodes } from '../../../fixtures/promotions.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const unit = { sku: 'BP-1001', quantity: 1 }
const money = (amount: string) => ({ amount, currency: 'JMD' })

describeWithAndWithoutMirror('the promotions of a cart', (mirror) => {
  let api: Api
  let shopper: CartShopper

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror()
    shopper = await cartShopper(api)
  })
  after(() => api[Symbol.asyncDispose]())

  it("are accepted when they apply, with the shop's spelling of the code", async () => {
    const path = await shopper.cart(unit)
    await shopper.read('POST', `${path}/price`)
    const { promotions, pricing, version } = await shopper.read('POST', `${path}/promotions`, { code: 'welcome10' })
    const taken = { code: 'WELCOME10', status: 'APPLIED', reason: null, description: '10 % off everything' }
    expect(promotions).to.deep.equal([{ ...taken, discount: null }])
    expect([pricing.state, version]).to.deep.equal(['STALE', 3])
    const again = await shopper.read('POST', `${path}/promotions`, { code: 'Welcome10' })
    expect([again.promotions.length, again.version]).to.deep.equal([1, 3])
    const without = await shopper.read('DELETE', `${path}/promotions/welcome10`)
    expect([without.promotions, without.version]).to.deep.equal([[], 4])
    expect((await shopper.ask('DELETE', `${path}/promotions/welcome10`)).status).to.equal(404)
  })

  for (const [code, reason] of [
    ['NOSUCHCODE', 'UNKNOWN_CODE'],
    [promotionCodes.expired, 'EXPIRED'],
    [promotionCodes.notStarted, 'NOT_STARTED'],
    [promotionCodes.limitReached, 'LIMIT_REACHED'],
    [promotionCodes.otherCustomers, 'CUSTOMER_NOT_ELIGIBLE'],
    [promotionCodes.minimum, 'MINIMUM_NOT_MET'],
    [promotionCodes.otherGoods, 'NO_ELIGIBLE_LINES'],
  ] as const) {
    it(`are returned with ${reason}, and not stored`, async () => {
      const path = await shopper.cart(unit)
      const { promotions, version } = await shopper.read('POST', `${path}/promotions`, { code })
      expect(promotions.map((one) => [one.code, one.status, one.reason])).to.deep.equal([
        [code, 'NOT_APPLICABLE', reason],
      ])
      expect(version).to.equal(2)
      expect((await shopper.read('GET', path)).promotions).to.deep.equal([])
    })
  }

  it('are returned as NOT_COMBINABLE next to one that excludes others', async () => {
    const other = await cartShopper(api, { customer: 'C-1002' })
    const path = await other.cart(unit)
    await other.read('POST', `${path}/promotions`, { code: promotionCodes.share })
    const { promotions } = await other.read('POST', `${path}/promotions`, { code: promotionCodes.alone })
    expect(promotions.map(({ status, reason }) => [status, reason])).to.deep.equal([
      ['APPLIED', null],
      ['NOT_APPLICABLE', 'NOT_COMBINABLE'],
    ])
  })

  it('stay when they no longer apply, with the reason', async () => {
    const other = await cartShopper(api, { customer: 'C-1002' })
    const path = await other.cart({ sku: 'BP-1001', quantity: 60 })
    const { lines } = await other.read('POST', `${path}/promotions`, { code: promotionCodes.minimum })
    await other.read('PATCH', `${path}/lines/${lines[0]!.line_id}`, { quantity: 1 })
    const { promotions, warnings, totals } = await other.read('POST', `${path}/price`)
    const { description: _, ...refused } = promotions[0]!
    expect(refused).to.deep.equal({
      code: promotionCodes.minimum,
      status: 'NOT_APPLICABLE',
      reason: 'MINIMUM_NOT_MET',
      discount: money('0.00'),
    })
    expect(warnings.map(({ code }) => code)).to.deep.equal(['PROMOTION_NOT_APPLICABLE'])
    expect(totals!.discount_total).to.deep.equal(money('0.00'))
  })

  it('are limited in attempts', async () => {
    const guesser = await cartShopper(api, { customer: 'C-1003' })
    const path = await guesser.cart(unit)
    const guess = (code: string) => guesser.ask('POST', `${path}/promotions`, { code })
    const replies = await Promise.all(Array.from({ length: 30 }, (_, at) => guess(`GUESS${at}`)))
    const good = replies.filter(({ status }) => status === 200)
    const limited = replies.filter(({ status }) => status === 429)
    expect([good.length, limited.length]).to.deep.equal([10, 20])
    expect(limited[0]!.body.code).to.equal('rate_limited')
    expect(Number(limited[0]!.headers['retry-after'])).to.be.within(1, 60)
    expect((await guess(promotionCodes.share)).status, 'a good one waits too').to.equal(429)
    expect((await guesser.ask('POST', `${path}/lines`, unit)).status).to.equal(200)
    const free = await cartShopper(api, { customer: 'C-1007' })
    const theirs = await free.cart(unit)
    for (let times = 0; times < 12; times += 1) {
      await free.read('POST', `${theirs}/promotions`, { code: promotionCodes.share })
      await free.read('DELETE', `${theirs}/promotions/${promotionCodes.share}`)
    }
  })

  it('are not evaluated while pricing fails', async () => {
    const path = await shopper.cart(unit)
    const fault = { 'x-sandbox-fault': 'pricing=unavailable' }
    const reply = await shopper.ask('POST', `${path}/promotions`, { code: promotionCodes.share }, fault)
    expect([reply.status, reply.body.code]).to.deep.equal([503, 'downstream_unavailable'])
    expect((await shopper.read('GET', path)).promotions).to.deep.equal([])
  })
})
