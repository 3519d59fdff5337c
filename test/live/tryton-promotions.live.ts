import { expect } from 'chai'
import { Type } from 'typebox'
import { computeLineDiscount } from '../../adapters/tryton/pricing/line-discount.ts'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { type CartShopper, cartShopper } from '../routes/carts/cart-shopper-client.ts'
import { type Api, startApi } from '../support/api.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { isOrderFinal, requestFinalReply } from './support/final-reply.ts'
import { createCallWithLongDeadline } from './support/long-deadline-call.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { createPromotionActions } from './support/tryton-promotion-actions.ts'
import { type PromotionCase, randomPromotionCase } from './support/tryton-promotion-cases.ts'

const Decimals = Type.Object({ decimal: Type.String() })
const Sales = responseSchema(
  Type.Array(
    Type.Object({
      untaxed_amount: Decimals,
      total_amount: Decimals,
      coupons: Type.Array(Type.Integer()),
      state: Type.String(),
    }),
  ),
)
const at = { merchant: 'erp', mode: 'sandbox' } as const
const CASES = Number(process.env.FORECOURT_TRYTON_CASES ?? 40)
const SEED = Number(process.env.FORECOURT_TRYTON_SEED ?? 20_261_121)

describe('tryton: promotions', () => {
  const server = trytonAccess()
  const desk = connectClerk(server.clerk)
  const ports = connectTrytonPorts(server.storefront)
  const { promote, withdraw, quoted } = createPromotionActions(desk.rpc)
  after(async () => {
    await ports.close()
    await desk.close()
  })

  async function compared({ customerId, lines, promotions }: PromotionCase): Promise<number> {
    const made: number[] = []
    try {
      for (const one of promotions) made.push(await promote(one))
      const codes = promotions.flatMap(({ code }) => code ?? [])
      const quote = await ports.pricing.quote!({ customerId, lines, codes }, createCallWithLongDeadline())
      const taxes = await ports.accounting.taxes(
        [...new Set(lines.map(({ sku }) => sku))],
        customerId,
        createCallWithLongDeadline(),
      )
      const taxed = new Set(taxes.filter(({ rate }) => rate !== '0').map(({ sku }) => sku))
      const sold = quote.lines.map(({ sku, unit_price }, i) => {
        return { sku, unit_price, quantity: lines[i]!.quantity, taxed: taxed.has(sku) }
      })
      const applied = quote.promotions.filter(({ status }) => status === 'APPLIED').map(({ code }) => code)
      const there = await quoted(Number(customerId), sold, applied)
      const discounts = there.map(({ price, priceBefore }, i) =>
        computeLineDiscount({ price: priceBefore, quantity: lines[i]!.quantity }, price, 2).toFixed(2),
      )
      const said = JSON.stringify({ customerId, lines, promotions, quote, there })
      expect(
        quote.lines.map(({ discount }) => discount),
        said,
      ).to.deep.equal(discounts)
      return discounts.filter((discount) => discount !== '0.00').length
    } finally {
      await withdraw(made)
    }
  }

  it(`prices ${CASES} carts as Tryton's own quotation (seed ${SEED})`, async function () {
    this.timeout(3_600_000)
    const random = createSeededRandom(SEED)
    let discounted = 0
    for (let n = 0; n < CASES; n += 1) discounted += await compared(randomPromotionCase(random, n))
    expect(discounted).to.be.at.least(CASES / 4)
  })
})

describe('promotions of Tryton through the public API', function () {
  this.timeout(600_000)
  const server = trytonAccess()
  const desk = connectClerk(server.clerk)
  let api: Api
  let garage: CartShopper

  before(async () => {
    const { address, ...settings } = server.storefront
    const limits = { timeoutMs: 50_000 }
    const system = { adapter: 'tryton', address, settings, maxResponseBytes: 8_000_000, limits }
    const sandbox = { inventory: system, pricing: system, accounting: system }
    const merchants = (): Partial<MerchantConfig>[] => [{ merchant: 'erp', sandbox }]
    api = await startApi({ merchants, deadlineMs: 60_000 })
    garage = await cartShopper(api, { ...at, customer: '3' })
  })
  after(async () => {
    await api?.[Symbol.asyncDispose]()
    await desk.close()
  })

  const fields = ['untaxed_amount', 'total_amount', 'coupons', 'state']
  const readRecords = async (orderId: string) => {
    const domain = [['web_id', '=', orderId]]
    return (
      await desk.rpc(Sales, 'sale.sale.search_read', [domain, 0, null, null, fields], createCallWithLongDeadline())
    )[0]!
  }
  const ask = (who: CartShopper, ...asked: Parameters<CartShopper['ask']>) => requestFinalReply(() => who.ask(...asked))
  const checkOut = (who: CartShopper, path: string, more = {}) =>
    requestFinalReply(() => who.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1), ...more }), isOrderFinal)
  const cancel = (orderId: string, who = garage) =>
    requestFinalReply(() => who.ask('POST', `/v1/orders/${orderId}/cancel`, { reason: 'OTHER' }))

  it('accepts a code, prices the cart with it, and orders at the prices of Tryton', async () => {
    const cart = await garage.cart({ sku: 'BAT-002', quantity: 2 })
    const held = await ask(garage, 'POST', `${cart}/promotions`, { code: 'lastone' })
    expect(held.body.promotions[0], held.text).to.include({ code: 'LASTONE', status: 'APPLIED' })
    const priced = await ask(garage, 'POST', `${cart}/price`)
    expect(priced.body.totals.discount_total.amount, priced.text).to.equal('1001.00')
    const { body, text } = await checkOut(garage, cart)
    expect(body.state, text).to.equal('placed')
    const order = (await ask(garage, 'GET', `/v1/orders/${body.order_id}`)).body
    expect(order.totals).to.deep.equal(priced.body.totals)
    expect(order.promotions).to.have.length(1)
    const sale = await readRecords(body.order_id)
    expect([sale.untaxed_amount.decimal, sale.total_amount.decimal]).to.deep.equal([
      '46309.00',
      order.totals.total.amount,
    ])

    const second = await garage.cart({ sku: 'BAT-002', quantity: 1 })
    const late = await ask(garage, 'POST', `${second}/promotions`, { code: 'LASTONE' })
    expect(late.body.promotions[0], late.text).to.include({ status: 'NOT_APPLICABLE', reason: 'LIMIT_REACHED' })
    expect((await cancel(body.order_id)).body.status).to.equal('CANCELLED')
    expect((await readRecords(body.order_id)).coupons).to.deep.equal([])
    const free = await ask(garage, 'POST', `${second}/promotions`, { code: 'LASTONE' })
    expect(free.body.promotions[0], free.text).to.include({ status: 'APPLIED' })
  })

  it('applies automatic promotions from the cart to the order', async () => {
    const cart = await garage.cart({ sku: 'OFL-008', quantity: 3 })
    const priced = await ask(garage, 'POST', `${cart}/price`)
    expect(priced.body.lines[0].discount.amount, priced.text).to.equal('191.06')
    expect(priced.body.promotions).to.deep.equal([])
    const { body, text } = await checkOut(garage, cart)
    expect(body.state, text).to.equal('placed')
    const sale = await readRecords(body.order_id)
    expect(sale.total_amount.decimal).to.equal(body.totals.total.amount)
    expect((await cancel(body.order_id)).body.status).to.equal('CANCELLED')
  })

  it('returns a shopper to the cart when their code was used up in the meantime', async () => {
    const hotel = await cartShopper(api, { ...at, customer: '6' })
    const cart = await garage.cart({ sku: 'BAT-002', quantity: 1 })
    await ask(garage, 'POST', `${cart}/promotions`, { code: 'LASTONE' })
    const shown = (await ask(garage, 'POST', `${cart}/price`)).body.totals.total
    const theirs = await hotel.cart({ sku: 'BAT-002', quantity: 1 })
    await ask(hotel, 'POST', `${theirs}/promotions`, { code: 'LASTONE' })
    const taken = await checkOut(hotel, theirs, { payment_method: 'CASH_ON_DELIVERY' })
    expect(taken.body.state, taken.text).to.equal('placed')
    const late = await checkOut(garage, cart, { expected_total: shown })
    expect([late.status, late.body.code], late.text).to.deep.equal([409, 'price_changed'])
    expect((await cancel(taken.body.order_id, hotel)).body.status).to.equal('CANCELLED')
  })
})
