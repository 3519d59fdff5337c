import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { listLedgerOrders, setDeliveryPrice } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const line = { sku: 'BP-1001', quantity: 1 }
const money = (amount: string) => ({ amount, currency: 'JMD' })
const kingston = {
  pickup_place_id: 'KGN',
  name: 'Kingston branch',
  description: 'Monday to Saturday, 8 to 17',
  address: {
    line1: '24 Spanish Town Road',
    line2: null,
    city: 'Kingston',
    region: 'Kingston',
    postal_code: null,
    country: 'JM',
  },
}
const montegoBay = {
  pickup_place_id: 'MBJ',
  name: 'Montego Bay branch',
  description: 'Monday to Friday, 8 to 16',
  address: { ...kingston.address, line1: '5 Barnett Street', city: 'Montego Bay', region: 'St. James' },
}
const common = { tax_included: false, pickup_places: [] }
const standard = {
  delivery_option_id: 'STANDARD',
  name: 'Standard delivery',
  description: 'In two to four working days. Free from JMD 25,000',
  fulfillment_method: 'DELIVERY',
  price: money('850.00'),
  ...common,
}
const express = {
  delivery_option_id: 'EXPRESS',
  name: 'Express delivery',
  description: 'On the next working day',
  fulfillment_method: 'DELIVERY',
  price: money('1950.00'),
  ...common,
}
const branch = {
  delivery_option_id: 'BRANCH',
  name: 'Pick up at a branch',
  description: 'Ready in two hours',
  fulfillment_method: 'PICKUP',
  price: money('0.00'),
  tax_included: false,
  pickup_places: [kingston, montegoBay],
}
/** The amounts of BP-1001 for C-1001 are 5445.44 and 816.82 tax; express costs 1950.00 and 292.50 tax. */
const expressTotals = {
  subtotal: money('5445.44'),
  discount_total: money('0.00'),
  tax_total: money('1109.32'),
  shipping_total: money('1950.00'),
  total: money('8504.76'),
  taxes: [
    {
      code: 'GCT',
      name: 'General Consumption Tax',
      rate: '0.15',
      base: money('7395.44'),
      amount: money('1109.32'),
    },
  ],
  tax_included: false,
}
const chosenExpress = { delivery_option_id: 'EXPRESS', name: 'Express delivery', pickup_place: null }

for (const store of stores()) {
  describe(`deliveries of a cart on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let ledger: string
    const start = Date.now()
    let aheadMs = 0

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => start + aheadMs })
      shopper = await cartShopper(api)
      ledger = api.systems.accounting.controlAddress
    })
    afterEach(async () => {
      await api.clearFaults()
      await setDeliveryPrice(ledger, 'acme', 'EXPRESS', '1950.00')
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const idOf = (path: string) => path.split('/').at(-1)!
    const checkOut = (path: string, more: object = {}, headers: Record<string, string> = {}) =>
      shopper.ask('POST', '/v1/checkout', { cart_id: idOf(path), ...more }, headers)
    const placed = async (orderId: string) =>
      (await listLedgerOrders(ledger, 'acme')).filter(({ reference }) => reference === orderId)

    describe('GET /v1/carts/:cart_id/delivery-options', () => {
      it('lists what the ledger offers for the cart and the default address', async () => {
        const path = await shopper.cart(line)
        const { status, body } = await shopper.ask('GET', `${path}/delivery-options`)
        expect(status).to.equal(200)
        expect(body).to.deep.equal({
          cart_id: idOf(path),
          delivery_options: [standard, express, branch],
          errors: [],
        })
      })

      it('prices them for the goods and the address: free from a total, and express not everywhere', async () => {
        const path = await shopper.cart({ ...line, quantity: 5 })
        const { address_id } = (await shopper.ask('GET', '/v1/me')).body.addresses[0]
        const { body } = await shopper.ask('GET', `${path}/delivery-options?shipping_address_id=${address_id}`)
        expect(body.delivery_options).to.deep.equal([{ ...standard, price: money('0.00') }, express, branch])
        const elsewhere = await cartShopper(api, { customer: 'C-1007' })
        const other = await elsewhere.cart(line)
        const options = (await elsewhere.ask('GET', `${other}/delivery-options`)).body.delivery_options
        expect(options).to.deep.equal([standard, branch])
      })

      it('is empty for an empty cart, and 422 for an unknown address', async () => {
        const path = await shopper.cart()
        expect((await shopper.ask('GET', `${path}/delivery-options`)).body.delivery_options).to.deep.equal([])
        const { status, body } = await shopper.ask('GET', `${path}/delivery-options?shipping_address_id=A-none`)
        expect([status, body.detail[0].type, body.detail[0].loc]).to.deep.equal([
          422,
          'unknown_address',
          ['query', 'shipping_address_id'],
        ])
      })

      it('is null, with an error, while the ledger fails, and the cart is still there', async () => {
        const path = await shopper.cart(line)
        await api.fault('accounting', { error_rate: 1, only: ['listDeliveryOptions'] })
        const { status, body } = await shopper.ask('GET', `${path}/delivery-options`)
        expect([status, body.delivery_options]).to.deep.equal([200, null])
        const [{ field, code }] = body.errors
        expect({ field, code }).to.deep.equal({ field: 'delivery_options', code: 'downstream_error' })
        expect((await shopper.read('POST', `${path}/price`)).totals!.shipping_total).to.deep.equal(money('0.00'))
        const priced = await shopper.ask('POST', `${path}/price`, { delivery_option_id: 'EXPRESS' })
        expect([priced.status, priced.body.code]).to.deep.equal([502, 'downstream_error'])
        const reply = await checkOut(path, { delivery_option_id: 'EXPRESS' })
        expect([reply.status, reply.body.code]).to.deep.equal([502, 'downstream_error'])
        expect((await shopper.read('GET', path)).order_id).to.equal(null)
      })

      it('is 404 for the cart of another customer', async () => {
        const other = await cartShopper(api, { customer: 'C-1003' })
        expect((await other.ask('GET', `${await shopper.cart(line)}/delivery-options`)).status).to.equal(404)
      })
    })

    it('prices a cart with a delivery and its tax, until it is priced without', async () => {
      const path = await shopper.cart(line)
      const priced = await shopper.read('POST', `${path}/price`, { delivery_option_id: 'EXPRESS' })
      expect(priced).to.deep.include({ totals: expressTotals, delivery: chosenExpress })
      expect(await shopper.read('GET', path)).to.deep.include({ totals: expressTotals, delivery: chosenExpress })
      const without = await shopper.read('POST', `${path}/price`)
      expect(without.delivery).to.equal(null)
      expect(without.totals!.total).to.deep.equal(money('6262.26'))
    })

    it('keeps the delivery while a line of the cart has no price', async () => {
      const path = await shopper.cart(line)
      const choice = { delivery_option_id: 'BRANCH', pickup_place_id: 'MBJ' }
      const { delivery } = await shopper.read('POST', `${path}/price`, choice)
      const added = await shopper.read('POST', `${path}/lines`, { sku: knownSkus.unpriced, quantity: 1 })
      const unpriced = await shopper.read('POST', `${path}/price`, choice)
      expect(unpriced).to.deep.include({ totals: null, delivery })
      await shopper.ask('DELETE', `${path}/lines/${added.lines.at(-1)!.line_id}`)
      const complete = await shopper.read('POST', `${path}/price`, choice)
      expect([complete.totals!.subtotal, complete.delivery]).to.deep.equal([expressTotals.subtotal, delivery])
      await shopper.read('POST', `${path}/lines`, { sku: knownSkus.unpriced, quantity: 1 })
      const other = await shopper.read('POST', `${path}/price`, { delivery_option_id: 'EXPRESS' })
      expect(other.delivery).to.equal(null)
    })

    it('refuses what the ledger does not offer, before anything is placed', async () => {
      const path = await shopper.cart(line)
      const refused: [object, string, string][] = [
        [{ delivery_option_id: 'DRONE' }, 'unknown_delivery_option', 'delivery_option_id'],
        [{ delivery_option_id: 'BRANCH' }, 'missing', 'pickup_place_id'],
        [{ delivery_option_id: 'BRANCH', pickup_place_id: 'NEG' }, 'unknown_pickup_place', 'pickup_place_id'],
        [{ pickup_place_id: 'KGN' }, 'missing', 'delivery_option_id'],
      ]
      for (const [choice, type, member] of refused)
        for (const reply of [await shopper.ask('POST', `${path}/price`, choice), await checkOut(path, choice)]) {
          const [{ type: given, loc }] = reply.body.detail
          expect([reply.status, given, loc]).to.deep.equal([422, type, ['body', member]])
        }
      const contradicting = await checkOut(path, { delivery_option_id: 'EXPRESS', fulfillment_method: 'PICKUP' })
      expect([contradicting.status, contradicting.body.detail[0].type]).to.deep.equal([422, 'fulfillment_mismatch'])
      expect((await shopper.read('GET', path)).order_id).to.equal(null)
    })

    it('orders with the delivery that checkout names, and shows it in the order and its invoice', async () => {
      const path = await shopper.cart(line)
      const { body } = await checkOut(path, { delivery_option_id: 'EXPRESS', expected_total: money('8504.76') })
      expect(body).to.deep.include({ state: 'placed', totals: expressTotals })
      expect(body.order).to.deep.include({
        delivery: chosenExpress,
        fulfillment_method: 'DELIVERY',
        totals: expressTotals,
      })
      const read = await shopper.ask('GET', `/v1/orders/${body.order_id}`)
      expect(read.body).to.deep.include({ delivery: chosenExpress, totals: expressTotals })
      const [order, ...more] = await placed(body.order_id)
      expect(more).to.deep.equal([])
      expect([order!.delivery, order!.totals.shipping_total]).to.deep.equal([chosenExpress, '1950.00'])
    })

    it('orders with the delivery that the cart was priced with, to the pickup place', async () => {
      const path = await shopper.cart(line)
      await shopper.read('POST', `${path}/price`, { delivery_option_id: 'BRANCH', pickup_place_id: 'MBJ' })
      const { body } = await checkOut(path)
      expect(body.order).to.deep.include({
        delivery: { delivery_option_id: 'BRANCH', name: 'Pick up at a branch', pickup_place: montegoBay },
        fulfillment_method: 'PICKUP',
        shipping_address: null,
      })
      expect(body.totals.shipping_total).to.deep.equal(money('0.00'))
    })

    it('orders without a delivery as before, at no price', async () => {
      const { body } = await checkOut(await shopper.cart(line), { fulfillment_method: 'PICKUP' })
      expect(body.order).to.deep.include({ delivery: null, fulfillment_method: 'PICKUP' })
      expect(body.totals.total).to.deep.equal(money('6262.26'))
      const [order] = await placed(body.order_id)
      expect(order).to.not.have.property('delivery')
    })

    it('orders nothing when the delivery costs more than shown, and returns the cart with the new total', async () => {
      const path = await shopper.cart(line)
      const { totals } = await shopper.read('POST', `${path}/price`, { delivery_option_id: 'EXPRESS' })
      await setDeliveryPrice(ledger, 'acme', 'EXPRESS', '2000.00')
      const { status, body } = await checkOut(path, { expected_total: totals!.total })
      expect([status, body.code]).to.deep.equal([409, 'price_changed'])
      expect(body.cart.totals.shipping_total).to.deep.equal(money('2000.00'))
      expect(body.cart).to.deep.include({ delivery: chosenExpress, order_id: null })
      const again = await checkOut(path, { expected_total: body.cart.totals.total })
      expect(again.body.totals.shipping_total).to.deep.equal(money('2000.00'))
    })

    /** Moves the clock, so that the order is tried again, until accounting has decided on it. */
    async function settle(orderId: string) {
      const read = async () => (await shopper.ask('GET', `/v1/orders/${orderId}`)).body
      await until('accounting has decided', async () => {
        aheadMs += 1_000
        return (await read()).status !== 'PENDING'
      })
      return read()
    }

    it('places the same delivery once when the response is lost, whatever it costs afterwards', async () => {
      const path = await shopper.cart(line)
      await api.fault('accounting', { drop_after: 1, only: ['placeOrder'] })
      const first = await checkOut(path, { delivery_option_id: 'EXPRESS' })
      expect(first.body).to.deep.include({ state: 'processing', totals: expressTotals })
      expect(first.body.order).to.deep.include({ delivery: chosenExpress, totals: expressTotals })
      await setDeliveryPrice(ledger, 'acme', 'EXPRESS', '2000.00')
      const late = await shopper.ask('POST', `${path}/price`, { delivery_option_id: 'STANDARD' })
      expect(late.body.code).to.equal('cart_converted')
      await api.clearFaults()
      const order = await settle(first.body.order_id)
      expect(order).to.deep.include({ status: 'CONFIRMED', delivery: chosenExpress, totals: expressTotals })
      const [inLedger, ...more] = await placed(first.body.order_id)
      expect(more).to.deep.equal([])
      expect([inLedger!.delivery, inLedger!.totals.shipping_total]).to.deep.equal([chosenExpress, '1950.00'])
      const again = await checkOut(path, { delivery_option_id: 'STANDARD' })
      expect(again.body.order).to.deep.include({ order_id: first.body.order_id, delivery: chosenExpress })
    })

    it('rejects an order that the ledger gets only after the price has changed', async () => {
      const path = await shopper.cart(line)
      await api.fault('accounting', { error_rate: 1, status: 503, only: ['placeOrder'] })
      const first = await checkOut(path, { delivery_option_id: 'EXPRESS' })
      expect(first.body.state).to.equal('processing')
      await setDeliveryPrice(ledger, 'acme', 'EXPRESS', '2000.00')
      await api.clearFaults()
      const order = await settle(first.body.order_id)
      expect(order).to.deep.include({ status: 'REJECTED', delivery: chosenExpress, totals: expressTotals })
      expect(await placed(first.body.order_id)).to.deep.equal([])
    })

    it('holds the delivery to its Idempotency-Key', async () => {
      const path = await shopper.cart(line)
      const key = { 'idempotency-key': 'delivery-1' }
      const first = await checkOut(path, { delivery_option_id: 'EXPRESS' }, key)
      expect(first.body.state).to.equal('placed')
      const again = await checkOut(path, { delivery_option_id: 'EXPRESS' }, key)
      expect([again.text, again.headers['idempotent-replayed']]).to.deep.equal([first.text, 'true'])
      const other = await checkOut(path, { delivery_option_id: 'STANDARD' }, key)
      expect([other.status, other.body.detail[0].type]).to.deep.equal([422, 'idempotency_key_reused'])
      const unkeyed = await checkOut(path, { delivery_option_id: 'STANDARD' })
      expect(unkeyed.body.order.delivery).to.deep.equal(chosenExpress)
      expect(await placed(first.body.order_id)).to.have.lengthOf(1)
    })
  })
}
