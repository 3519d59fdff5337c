import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { listLedgerOrders, setCreditLimit } from '../../../src/sandbox/control/accounting-control-client.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 2 }

for (const store of stores()) {
  describe(`POST /v1/checkout on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let control: { inventory: string; pricing: string; accounting: string }
    /** A fixed clock that tests move: no order times out because the machine is busy. */
    const start = Date.now()
    let aheadMs = 0

    before(async () => {
      const url = await store.createMigrated()
      api = await startApi({ store: url, now: () => start + aheadMs })
      shopper = await cartShopper(api)
      const { inventory, pricing, accounting } = api.systems
      control = {
        inventory: inventory.controlAddress,
        pricing: pricing.controlAddress,
        accounting: accounting.controlAddress,
      }
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })
    afterEach(() => api.clearFaults())

    const idOf = (path: string) => path.split('/').at(-1)!
    const checkOut = (caller: CartShopper, cartId: string, more: object = {}, headers?: Record<string, string>) =>
      caller.ask('POST', '/v1/checkout', { cart_id: cartId, ...more }, headers)
    const refused = async (reply: Reply, status: number, code: string) => {
      expect([reply.status, reply.body.code], reply.text).to.deep.equal([status, code])
      return reply.body
    }
    const placedFor = async (cartId: string) => {
      const rows = await api.db.selectFrom('orders').select('order_id').where('cart_id', '=', cartId).execute()
      const ids = rows.map(({ order_id }) => order_id)
      return (await listLedgerOrders(control.accounting, 'acme')).filter(({ reference }) =>
        ids.includes(reference ?? ''),
      )
    }
    const events = (orderId: string) =>
      api.db.selectFrom('events').selectAll().where('resource_id', '=', orderId).orderBy('sequence').execute()

    it('places an order at live prices, on credit terms, to the address of the account', async () => {
      const path = await shopper.cart(line, { sku: knownSkus.taxExempt, quantity: 1 })
      const priced = await shopper.read('POST', `${path}/price`)
      const { status, body } = await checkOut(shopper, idOf(path), { po_number: 'PO-7' })
      expect([status, body.state]).to.deep.equal([200, 'placed'])
      expect(body.totals).to.deep.equal(priced.totals)
      expect(body).to.deep.include({ shortfall: null, credit: null, remedies: [] })
      expect(body.payment).to.deep.equal({ status: 'NOT_REQUIRED', session_id: null })
      expect(body.order).to.deep.include({
        order_id: body.order_id,
        order_number: body.order_number,
        status: 'CONFIRMED',
        channel: 'ECOMMERCE',
        po_number: 'PO-7',
        payment_method: 'CREDIT_TERMS',
        item_count: 2,
        cancellable: true,
      })
      expect(body.order.shipping_address).to.include({ line1: '12 Harbour Street', country: 'JM' })
      const [order, ...others] = await placedFor(idOf(path))
      expect(others).to.deep.equal([])
      expect(order).to.deep.include({ reference: body.order_id, channel: 'ECOMMERCE', customer_id: 'C-1001' })
      expect(order!.totals.total).to.equal(body.totals.total.amount)
      expect(await shopper.read('GET', path)).to.include({ state: 'CONVERTED', order_id: body.order_id })
      const [event, ...more] = await events(body.order_id)
      expect(more).to.deep.equal([])
      expect(event).to.include({ type: 'order.confirmed', sequence: 1, resource_type: 'order', tenant_id: 'acme' })
      expect(JSON.parse(event!.data)).to.deep.include({ order_id: body.order_id, total: body.totals.total })
    })

    it('creates one order from one cart for concurrent requests', async () => {
      const cartId = idOf(await shopper.cart(line))
      const replies = await Promise.all(Array.from({ length: 20 }, () => checkOut(shopper, cartId)))
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1)
      expect(replies[0]!.body.state).to.equal('placed')
      expect(await placedFor(cartId)).to.have.length(1)
      expect(await events(replies[0]!.body.order_id)).to.have.length(1)
      expect((await checkOut(shopper, cartId)).text).to.equal(replies[0]!.text)
    })

    it('returns the shortfall, orders nothing, and accepts cash on delivery instead', async () => {
      const poor = await cartShopper(api, { customer: 'C-1006' })
      const cartId = idOf(await poor.cart(line))
      const key = { 'idempotency-key': 'over' }
      const first = await checkOut(poor, cartId, {}, key)
      const { body } = first
      expect(body).to.deep.include({ state: 'over_credit_limit', order_id: null, order: null, cart_id: cartId })
      const remainingCredit = Number(body.credit.available_credit.amount)
      expect(Number(body.shortfall.amount)).to.be.closeTo(Number(body.totals.total.amount) - remainingCredit, 0.001)
      expect(body.remedies).to.deep.equal(['REDUCE_ORDER', 'PAY_BALANCE', 'CHOOSE_CASH_ON_DELIVERY'])
      expect(await placedFor(cartId)).to.deep.equal([])
      expect(await poor.read('GET', `/v1/carts/${cartId}`)).to.include({ state: 'ACTIVE', order_id: null })
      const again = await checkOut(poor, cartId, {}, key)
      expect(again.headers).to.not.have.property('idempotent-replayed')
      const cash = await checkOut(poor, cartId, { payment_method: 'CASH_ON_DELIVERY' })
      expect(cash.body.state).to.equal('placed')
    })

    it('never lets concurrent checkouts exceed the credit', async () => {
      const customer = 'C-1008'
      const caller = await cartShopper(api, { customer })
      const carts = await Promise.all(Array.from({ length: 6 }, () => caller.cart(line)))
      const { totals } = await caller.read('POST', `${carts[0]}/price`)
      await setCreditLimit(control.accounting, 'acme', customer, String(Number(totals!.total.amount) * 2))
      const replies = await Promise.all(carts.map((path) => checkOut(caller, idOf(path))))
      expect(replies.map(({ body }) => body.state).sort()).to.deep.equal([
        ...Array(4).fill('over_credit_limit'),
        ...Array(2).fill('placed'),
      ])
      const rows = await api.db.selectFrom('orders').select('status').where('customer_id', '=', customer).execute()
      expect(rows).to.deep.equal([{ status: 'CONFIRMED' }, { status: 'CONFIRMED' }])
    })

    it('does not order at a higher price than shown, and returns the updated cart', async () => {
      const anonymous = await cartShopper(api, { customer: 'C-1009' })
      const path = await anonymous.cart({ sku: 'BP-1011', quantity: 1 })
      const { totals } = await anonymous.read('POST', `${path}/price`)
      await setPrice(control.pricing, 'acme', 'BP-1011', '99000.00')
      const body = await refused(
        await checkOut(anonymous, idOf(path), { expected_total: totals!.total }),
        409,
        'price_changed',
      )
      expect(Number(body.cart.totals.subtotal.amount)).to.equal(99_000)
      expect(body.cart.pricing.state).to.equal('PRICED')
      const { total } = body.cart.totals
      expect((await checkOut(anonymous, idOf(path), { expected_total: total })).body.state).to.equal('placed')
    })

    for (const customer of ['C-1013', 'C-1014'])
      it(`says processing while accounting is slow for customer ${customer} of the sandbox`, async () => {
        const caller = await cartShopper(api, { customer })
        const { status, body } = await checkOut(caller, idOf(await caller.cart(line)))
        expect([status, body.state, body.order.status]).to.deep.equal([200, 'processing', 'PENDING'])
      })

    it('sells products on backorder, and lists those that cannot be sold', async () => {
      const late = idOf(await shopper.cart({ sku: knownSkus.leadTime, quantity: 1 }))
      expect((await checkOut(shopper, late)).body.state).to.equal('placed')
      const path = await shopper.cart(line, { sku: knownSkus.out, quantity: 1 }, { sku: 'BP-1013', quantity: 1 })
      await updateProduct(control.inventory, 'acme', 'BP-1013', { active: false })
      const { skus } = await refused(await checkOut(shopper, idOf(path)), 409, 'line_unavailable')
      expect(skus).to.have.members([knownSkus.out, 'BP-1013'])
      const unpriced = idOf(await shopper.cart({ sku: knownSkus.unpriced, quantity: 1 }))
      const named = await refused(await checkOut(shopper, unpriced), 409, 'line_unavailable')
      expect(named.skus).to.deep.equal([knownSkus.unpriced])
      const findRecord = () =>
        api.db
          .selectFrom('request_records')
          .select(['skus', 'document'])
          .where('request_id', '=', named.request_id)
          .executeTakeFirst()
      await until('the refusal is recorded', async () => (await findRecord()) !== undefined)
      const { skus: searched, document } = (await findRecord())!
      expect(searched).to.equal(`\n${knownSkus.unpriced.toLowerCase()}\n`)
      expect(JSON.parse(document)).to.deep.include({
        refusedSkus: [knownSkus.unpriced],
        skuRefusals: [{ sku: knownSkus.unpriced, reason: 'no_price' }],
      })
      expect(JSON.stringify(named)).to.not.include('no_price')
    })

    it('sells what nobody counts, and what is out of stock by the policy of the product', async () => {
      const [service, sold, kept] = ['BP-1014', 'BP-1015', 'BP-1016'] as const
      const today = new Date(start).toISOString().slice(0, 10)
      const soon = [
        { date: today.replace(/^\d+/, (year) => String(Number(year) + 1)).replace(/\d\d$/, '01'), quantity: 9 },
      ]
      await setStock(control.inventory, 'acme', service, { available: 0, expected: [], untracked: true })
      await setStock(control.inventory, 'acme', sold, { available: 0, expected: [], sell_when_out: true })
      await setStock(control.inventory, 'acme', kept, { available: 0, expected: soon, sell_when_out: false })
      const path = await shopper.cart({ sku: service, quantity: 1 }, { sku: sold, quantity: 1 })
      const { warnings } = await shopper.read('GET', path)
      expect(warnings.map(({ code }) => code)).to.deep.equal(['BACKORDER'])
      expect((await checkOut(shopper, idOf(path))).body.state).to.equal('placed')
      const withKept = await shopper.cart({ sku: kept, quantity: 1 })
      const { skus } = await refused(await checkOut(shopper, idOf(withKept)), 409, 'line_unavailable')
      expect(skus).to.deep.equal([kept])
    })

    it('rejects an account on hold, and a payment method that the account does not have', async () => {
      const onHold = await cartShopper(api, { customer: 'C-1004' })
      await refused(await checkOut(onHold, idOf(await onHold.cart(line))), 409, 'account_on_hold')
      const cash = await cartShopper(api, { customer: 'C-1010' })
      const cartId = idOf(await cash.cart(line))
      const terms = { payment_method: 'CREDIT_TERMS' }
      await refused(await checkOut(cash, cartId, terms), 409, 'payment_method_not_allowed')
      expect((await checkOut(cash, cartId)).body.order.payment_method).to.equal('CASH_ON_DELIVERY')
    })

    it("rejects another customer's cart, an unknown cart and an empty one", async () => {
      const other = await cartShopper(api, { customer: 'C-1003' })
      const path = await shopper.cart(line)
      const foreign = await refused(await checkOut(other, idOf(path)), 404, 'not_found')
      const absent = await refused(await checkOut(other, `cart_${'0'.repeat(22)}`), 404, 'not_found')
      expect({ ...foreign, request_id: '' }).to.deep.equal({ ...absent, request_id: '' })
      await refused(await checkOut(shopper, idOf(await shopper.cart())), 409, 'cart_empty')
      await api.db
        .updateTable('carts')
        .set({ expires_at: '2026-01-01T00:00:00.000Z' })
        .where('cart_id', '=', idOf(path))
        .execute()
      await refused(await checkOut(shopper, idOf(path)), 410, 'cart_expired')
    })

    for (const [method, path] of [
      ['GET', '/v1/orders/ord_%00'],
      ['POST', '/v1/orders/ord_%00/cancel'],
      ['GET', '/v1/checkout/ord_%00/payment-status'],
    ] as const) {
      it(`responds to ${method} ${path} with 404, whatever the store can represent`, async () => {
        await refused(await shopper.ask(method, path, method === 'POST' ? {} : undefined), 404, 'not_found')
      })
    }

    it('uses an address of the account by its id, and none for pickup', async () => {
      const cartId = idOf(await shopper.cart(line))
      const { status, body } = await checkOut(shopper, cartId, { shipping_address_id: 'nowhere' })
      expect([status, body.detail[0].loc]).to.deep.equal([422, ['body', 'shipping_address_id']])
      const second = await checkOut(shopper, cartId, { shipping_address_id: 'C-1001-2' })
      expect(second.body.order.shipping_address.line1).to.equal('Warehouse, 12 Harbour Street')
      const collected = idOf(await shopper.cart(line))
      const { order } = (await checkOut(shopper, collected, { fulfillment_method: 'PICKUP' })).body
      expect(order).to.include({ fulfillment_method: 'PICKUP', shipping_address: null })
    })

    for (const system of ['inventory', 'pricing', 'accounting'] as const) {
      it(`orders nothing while ${system} fails`, async () => {
        const cartId = idOf(await shopper.cart(line))
        await api.fault(system, { status: 500 })
        const { status, headers } = await checkOut(shopper, cartId)
        expect(status).to.equal(502)
        expect(headers['retry-after']).to.match(/^\d+$/)
        await api.clearFaults()
        expect(await placedFor(cartId)).to.deep.equal([])
        expect(await shopper.read('GET', `/v1/carts/${cartId}`)).to.include({ state: 'ACTIVE', order_id: null })
      })
    }

    it('finds the order whose response was lost', async () => {
      const cartId = idOf(await shopper.cart(line))
      await api.fault('accounting', { drop_after: 1, only: ['placeOrder'] })
      const key = { 'idempotency-key': 'lost' }
      const first = await checkOut(shopper, cartId, {}, key)
      expect(first.body).to.deep.include({ state: 'processing', order_number: null, payment: null })
      expect(first.body.order).to.include({ status: 'PENDING', cancellable: false })
      await api.clearFaults()
      const read = () => shopper.ask('GET', `/v1/orders/${first.body.order_id}`)
      await until('the order is confirmed', async () => {
        aheadMs += 1_000
        return (await read()).body.status === 'CONFIRMED'
      })
      await until('the event is there', async () => (await events(first.body.order_id)).length > 0)
      expect(await placedFor(cartId)).to.have.length(1)
      expect((await events(first.body.order_id)).map(({ type }) => type)).to.deep.equal(['order.confirmed'])
      const replayed = await checkOut(shopper, cartId, {}, key)
      expect(replayed.headers['idempotent-replayed']).to.equal('true')
      expect(replayed.text).to.equal(first.text)
      const { body } = await checkOut(shopper, cartId)
      expect(body).to.include({ state: 'placed', order_id: first.body.order_id })
    })
  })
}
