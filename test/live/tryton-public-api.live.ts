import { expect } from 'chai'
import type { MerchantConfig } from '../../src/config/merchant-config.ts'
import { type CartShopper, cartShopper } from '../routes/carts/cart-shopper-client.ts'
import { type Api, startApi } from '../support/api.ts'
import { describeWithAndWithoutMirror } from '../support/describe-with-and-without-mirror.ts'
import { registrationOf, shopperAccountCalls } from '../support/shopper-account-calls.ts'
import { isOrderFinal, requestFinalReply } from './support/final-reply.ts'
import { trytonAccess } from './support/tryton-environment.ts'

const GARAGE = '3'
const at = { merchant: 'erp', mode: 'sandbox' } as const

/** The commerce part of the public API over a real Tryton. */
describeWithAndWithoutMirror('the public API over a real Tryton', (mirror) => {
  let api: Api
  let garage: CartShopper

  before(async () => {
    const { address, ...settings } = trytonAccess().storefront
    const system = {
      adapter: 'tryton',
      address,
      settings,
      maxResponseBytes: 8_000_000,
      limits: { timeoutMs: 50_000 },
    }
    const sandbox = { inventory: system, pricing: system, accounting: system }
    const merchants = (): Partial<MerchantConfig>[] => [{ merchant: 'erp', sandbox, registration: 'immediate' }]
    api = await startApi({ merchants, mirror, deadlineMs: 60_000 })
    await api.fillMirror({ tenant: at })
    garage = await cartShopper(api, { ...at, customer: GARAGE })
  })
  after(() => api?.[Symbol.asyncDispose]())

  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  const get = async (who: CartShopper, path: string): Promise<any> => {
    const reply = await requestFinalReply(() => who.ask('GET', path))
    expect(reply.status, reply.text).to.equal(200)
    return reply.body
  }
  const checkOut = async (who: CartShopper, line: object, more: object = {}) => {
    const cart_id = (await who.cart(line)).split('/').at(-1)
    return requestFinalReply(() => who.ask('POST', '/v1/checkout', { cart_id, ...more }), isOrderFinal)
  }

  // Carts and checkouts ask the systems in both modes, and an order takes Tryton seconds: each kind is placed once.
  if (mirror) describeCredit()
  else describeCash()

  function describeCredit() {
    it('sells on credit at contract prices, and cancels the order', async () => {
      const before = await get(garage, '/v1/me/credit-status')
      const { status, body } = await checkOut(garage, { sku: 'OFL-001', quantity: 12 }, { po_number: 'PO 12' })
      expect([status, body.state], JSON.stringify(body)).to.deep.equal([200, 'placed'])
      expect(body.totals.total.amount).to.equal('12146.76')
      const order = await get(garage, `/v1/orders/${body.order_id}`)
      expect(order).to.include({ status: 'CONFIRMED', po_number: 'PO 12', payment_method: 'CREDIT_TERMS' })
      expect((await get(garage, '/v1/orders')).data[0].order_id).to.equal(body.order_id)
      const left = Number(before.available_credit.amount) - 12_146.76
      expect(Number((await get(garage, '/v1/me/credit-status')).available_credit.amount)).to.be.closeTo(left, 0.001)
      const gone = await requestFinalReply(() =>
        garage.ask('POST', `/v1/orders/${body.order_id}/cancel`, { reason: 'OTHER' }),
      )
      expect([gone.status, gone.body.status], gone.text).to.deep.equal([200, 'CANCELLED'])
    })

    it('reports the missing credit', async () => {
      const hotel = await cartShopper(api, { ...at, customer: '6' })
      const { status, body } = await checkOut(hotel, { sku: 'BAT-001', quantity: 20 })
      expect([status, body.state]).to.deep.equal([200, 'over_credit_limit'])
      expect(Number(body.shortfall.amount)).to.be.above(0)
    })
  }

  function describeCash() {
    it('registers a shopper as a party, who pays on delivery', async () => {
      const key = await api.key({ kind: 'secret', ...at })
      const email = `journey${Date.now()}@shopper.example`
      const { status, body, text } = await shopperAccountCalls(api, key)('', registrationOf(email))
      expect(status, text).to.equal(201)
      const headers = { 'x-storefront-shopper-token': body.shopper_token ?? body.access_token }
      const me = await api.request('/v1/me', { key, headers })
      expect(me.body, me.text).to.include({ email, first_name: 'Ann' })
      const customer = me.body.customer_id
      const ann = await cartShopper(api, { ...at, customer })
      const shipping_address = { line1: '1 Beach Road', city: 'Negril', country: 'JM' }
      const placed = await checkOut(
        ann,
        { sku: 'PAD-001', quantity: 1 },
        { payment_method: 'CASH_ON_DELIVERY', shipping_address },
      )
      expect([placed.status, placed.body.state], placed.text).to.deep.equal([200, 'placed'])
      expect(placed.body.order.shipping_address).to.include({ line1: '1 Beach Road' })
    })

    it('shows invoices with their balance', async () => {
      const { data } = await get(garage, '/v1/invoices?status=PAID')
      expect(data[0]).to.include({ status: 'PAID', type: 'INVOICE' })
      const invoice = await get(garage, `/v1/invoices/${data[0].invoice_id}`)
      expect(invoice.balance.amount).to.equal('0.00')
    })
  }
})
