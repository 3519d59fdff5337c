import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import {
  issueInvoice,
  setCreditLimit,
  setOrderStatus,
  shipOrder,
} from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 1 }

describe('orders', () => {
  let api: Api
  let shopper: CartShopper
  let stranger: CartShopper
  let accounting: string

  before(async () => {
    api = await startApi()
    shopper = await cartShopper(api, { customer: 'C-1003' })
    stranger = await cartShopper(api, { customer: 'C-1008' })
    accounting = api.systems.accounting.controlAddress
  })
  after(() => api[Symbol.asyncDispose]())
  afterEach(() => api.clearFaults())

  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
  const get = async (path: string, caller = shopper): Promise<any> => {
    const reply = await caller.ask('GET', path)
    expect(reply.status, reply.text).to.equal(200)
    return reply.body
  }
  const placeOrder = (caller = shopper) => caller.order(line)
  async function startProcessing(caller: CartShopper) {
    const cart_id = (await caller.cart(line)).split('/').at(-1)
    await api.fault('accounting', { status: 503, only: ['placeOrder'] })
    const { body } = await caller.ask('POST', '/v1/checkout', { cart_id })
    expect(body.state).to.equal('processing')
    return { id: body.order_id as string, cart_id }
  }
  const cancel = (id: string, body: object = {}, caller = shopper) =>
    caller.ask('POST', `/v1/orders/${id}/cancel`, body)
  const accountingId = async (id: string) => {
    const row = await api.db.selectFrom('orders').select('placed').where('order_id', '=', id).executeTakeFirstOrThrow()
    return JSON.parse(row.placed!).order_id as string
  }
  const events = async (id: string) => {
    const rows = api.db.selectFrom('events').select(['type', 'sequence']).where('resource_id', '=', id)
    return (await rows.orderBy('sequence').execute()).map(({ type, sequence }) => `${sequence} ${type}`)
  }

  describe('GET /v1/orders', () => {
    it('lists orders newest first, including those from before Forecourt, by page', async () => {
      const [first, second] = [await placeOrder(), await placeOrder()]
      const { data, pagination } = await get('/v1/orders?limit=100')
      expect(data.slice(0, 2).map((order: { order_id: string }) => order.order_id)).to.deep.equal([second, first])
      expect(data[0]).to.have.all.keys(
        ...['order_id', 'order_number', 'status', 'payment_status', 'channel', 'currency', 'total', 'item_count'],
        ...['po_number', 'placed_at', 'updated_at'],
      )
      expect(pagination).to.include({ total: data.length, has_more: false })
      const pages = await Promise.all(data.map((_: unknown, at: number) => get(`/v1/orders?limit=1&offset=${at}`)))
      expect(pages.flatMap((page) => page.data)).to.deep.equal(data)
    })

    it('lists an order that accounting has not accepted yet once, in its place', async () => {
      const caller = await cartShopper(api, { customer: 'C-1002' })
      const before = await get('/v1/orders?limit=100', caller)
      const { id } = await startProcessing(caller)
      const { data, pagination } = await get('/v1/orders?limit=100', caller)
      expect(data[0]).to.include({ order_id: id, status: 'PENDING', order_number: null })
      expect(pagination.total).to.equal(before.pagination.total + 1)
      expect(data.slice(1)).to.deep.equal(before.data)
      const second = await get('/v1/orders?limit=1&offset=1', caller)
      expect(second.data).to.deep.equal(data.slice(1, 2))
      expect((await get('/v1/orders?status=PENDING', caller)).data).to.have.length(1)
      expect((await get('/v1/orders?status=CONFIRMED&limit=1', caller)).data).to.not.deep.include(data[0])
      await api.clearFaults()
      await until('it is confirmed', async () => (await get(`/v1/orders/${id}`, caller)).status === 'CONFIRMED')
      const after = await get('/v1/orders?limit=100', caller)
      expect(after.data.filter((order: { order_id: string }) => order.order_id === id)).to.have.length(1)
      expect(after.pagination.total).to.equal(before.pagination.total + 1)
    })

    it('lists an order only once the shopper was told of it: until then it may be discarded', async () => {
      const caller = await cartShopper(api, { customer: 'C-1010' })
      const before = await get('/v1/orders?limit=100', caller)
      const { id } = await startProcessing(caller)
      const setTold = (told: number) =>
        api.db.updateTable('orders').set({ told }).where('order_id', '=', id).executeTakeFirstOrThrow()
      await setTold(0)
      expect(await get('/v1/orders?limit=100', caller)).to.deep.equal(before)
      expect((await get('/v1/orders?status=PENDING', caller)).pagination.total).to.equal(0)
      await setTold(1)
      expect((await get('/v1/orders?limit=100', caller)).data[0]).to.include({ order_id: id, status: 'PENDING' })
    })

    it('lists only orders placed since then', async () => {
      const id = await placeOrder()
      const { placed_at } = await get(`/v1/orders/${id}`)
      const { data } = await get(`/v1/orders?placed_since=${encodeURIComponent(placed_at)}`)
      expect(data.map((order: { order_id: string }) => order.order_id)).to.deep.equal([id])
    })

    it('refuses a number as the time since then, which is a year to people', async () => {
      const { status, body } = await shopper.ask('GET', '/v1/orders?placed_since=2026')
      expect([status, body.detail]).to.deep.equal([
        422,
        [
          {
            type: 'datetime_from_number',
            loc: ['query', 'placed_since'],
            msg: 'Input should be a datetime such as 2026-01-31T00:00:00Z, because a number would mean seconds since 1970',
            input: '2026',
          },
        ],
      ])
    })

    it('lists no order of another customer', async () => {
      const mine = await placeOrder()
      const { data } = await get('/v1/orders?limit=100', stranger)
      expect(data.map((order: { order_id: string }) => order.order_id)).to.not.include(mine)
    })
  })

  describe('GET /v1/orders/:order_id', () => {
    it('returns an order with its invoices', async () => {
      const id = await placeOrder()
      await shipOrder(accounting, 'acme', await accountingId(id))
      const invoice = await issueInvoice(accounting, 'acme', await accountingId(id))
      const order = await get(`/v1/orders/${id}`)
      expect(order).to.deep.include({ order_id: id, status: 'SHIPPED', cancellable: false, errors: [] })
      const { invoice_id, invoice_number } = invoice
      expect(order.invoices).to.deep.equal([{ invoice_id, invoice_number, status: 'OPEN' }])
      expect(order.shipments).to.have.length(1)
      expect(await get(`/v1/invoices/${invoice_id}`)).to.deep.include({ order_id: id, total: order.total })
    })

    it('is 404 for another customer’s order, by either id', async () => {
      const id = await placeOrder()
      const absent = await stranger.ask('GET', '/v1/orders/ord_0000000000000000000000')
      for (const name of [id, await accountingId(id), 'SO-0', '%2E%2E', 'x'.repeat(200)]) {
        const { status, body } = await stranger.ask('GET', `/v1/orders/${name}`)
        expect([status, { ...body, request_id: '' }]).to.deep.equal([404, { ...absent.body, request_id: '' }])
      }
      expect((await get(`/v1/orders/${await accountingId(id)}`)).order_id).to.equal(id)
    })

    it('returns the stored order while accounting fails, marked as stale', async () => {
      const id = await placeOrder()
      const whole = await get(`/v1/orders/${id}`)
      await api.fault('accounting', { status: 500, only: ['readOrder', 'listInvoices'] })
      const fresh = await cartShopper(api, { customer: 'C-1003' })
      const other = await placeOrder(fresh)
      const stale = await get(`/v1/orders/${other}`)
      expect(stale.errors.map(({ field, stale }: { field: string; stale?: boolean }) => [field, stale])).to.deep.equal([
        ['order', true],
        ['invoices', undefined],
      ])
      expect(stale).to.deep.include({ order_id: other, status: 'CONFIRMED', invoices: null, totals: whole.totals })
      const { status } = await shopper.ask('GET', '/v1/orders/SO-9')
      expect(status).to.equal(502)
    })
  })

  describe('POST /v1/orders/:order_id/cancel', () => {
    it('cancels once, and sends one event', async () => {
      const id = await placeOrder()
      const first = await cancel(id, { reason: 'ORDERED_BY_MISTAKE', note: 'twice' })
      expect(first.status, first.text).to.equal(200)
      expect(first.body).to.deep.include({
        status: 'CANCELLED',
        cancel_reason: 'ORDERED_BY_MISTAKE',
        cancellable: false,
      })
      const again = await cancel(id)
      expect([again.status, again.text]).to.deep.equal([200, first.text])
      expect(await events(id)).to.deep.equal(['1 order.confirmed', '2 order.cancelled'])
      expect(await get(`/v1/orders/${id}`)).to.deep.equal(first.body)
    })

    it('does not cancel before order.confirmed is sent, by either id', async () => {
      const id = await placeOrder()
      const key = await accountingId(id)
      const own = api.db.updateTable('orders').where('order_id', '=', id)
      await own.set({ status: 'PENDING', leased_until: '9999-12-31T00:00:00.000Z' }).execute()
      for (const name of [id, key]) {
        const { status, body } = await cancel(name)
        expect([status, body.code, body.current_status]).to.deep.equal([409, 'order_not_cancellable', 'PENDING'])
      }
      await own.set({ status: 'CONFIRMED' }).execute()
      expect((await cancel(key)).body).to.include({ order_id: id, status: 'CANCELLED' })
      expect(await events(id)).to.deep.equal(['1 order.confirmed', '2 order.cancelled'])
    })

    it('detects a cancellation by a process that died', async () => {
      const id = await placeOrder()
      await api.fault('accounting', { drop_after: 1, only: ['cancelOrder'] })
      const lost = await cancel(id)
      expect(lost.status).to.be.within(502, 504)
      expect(await events(id)).to.deep.equal(['1 order.confirmed'])
      await api.clearFaults()
      expect((await cancel(id)).body.status).to.equal('CANCELLED')
      expect(await events(id)).to.deep.equal(['1 order.confirmed', '2 order.cancelled'])
    })

    it('continues after a response that timed out, without a retry', async () => {
      const id = await placeOrder()
      await api.fault('accounting', { status: 503, only: ['cancelOrder'] })
      expect((await cancel(id)).status).to.be.within(502, 504)
      await api.clearFaults()
      await until('the order is cancelled', async () => (await events(id)).includes('2 order.cancelled'))
      expect((await get(`/v1/orders/${id}`)).status).to.equal('CANCELLED')
    })

    it('rejects orders that are shipped, invoiced or later', async () => {
      const [shipped, invoiced, delivered] = [await placeOrder(), await placeOrder(), await placeOrder()]
      await shipOrder(accounting, 'acme', await accountingId(shipped))
      await issueInvoice(accounting, 'acme', await accountingId(invoiced))
      await setOrderStatus(accounting, 'acme', await accountingId(delivered), 'DELIVERED')
      for (const [id, current] of [
        [shipped, 'SHIPPED'],
        [invoiced, 'CONFIRMED'],
        [delivered, 'DELIVERED'],
      ] as const) {
        const { status, body } = await cancel(id)
        expect([status, body.code, body.current_status]).to.deep.equal([409, 'order_not_cancellable', current])
        expect(await events(id)).to.deep.equal(['1 order.confirmed'])
      }
    })

    it('waits for an order that is still being placed', async () => {
      const caller = await cartShopper(api, { customer: 'C-1009' })
      const { id } = await startProcessing(caller)
      const headers = { 'idempotency-key': 'soon' }
      const early = await caller.ask('POST', `/v1/orders/${id}/cancel`, {}, headers)
      expect([early.status, early.body.current_status]).to.deep.equal([409, 'PENDING'])
      await api.clearFaults()
      await until('it is confirmed', async () => (await get(`/v1/orders/${id}`, caller)).status === 'CONFIRMED')
      await until('it is stored', async () => (await events(id)).length > 0)
      const late = await caller.ask('POST', `/v1/orders/${id}/cancel`, {}, headers)
      expect(late.body.status, late.text).to.equal('CANCELLED')
    })

    it("does not cancel another customer's order", async () => {
      const id = await placeOrder()
      expect((await cancel(id, {}, stranger)).status).to.equal(404)
      expect((await cancel(await accountingId(id), {}, stranger)).status).to.equal(404)
      expect((await get(`/v1/orders/${id}`)).status).to.equal('CONFIRMED')
    })
  })

  it('rejects an order in processing when accounting rejects it', async () => {
    const customer = 'C-1005'
    const caller = await cartShopper(api, { customer })
    const { id, cart_id } = await startProcessing(caller)
    await setCreditLimit(accounting, 'acme', customer, '0.01')
    await api.clearFaults()
    await until('it is rejected', async () => (await get(`/v1/orders/${id}`, caller)).status === 'REJECTED')
    expect(await events(id)).to.deep.equal(['1 order.rejected'])
    const again = await caller.ask('POST', '/v1/checkout', { cart_id })
    expect([again.status, again.body.code, again.body.order_id]).to.deep.equal([409, 'cart_converted', id])
    expect((await cancel(id, {}, caller)).body.current_status).to.equal('REJECTED')
    expect(await get(`/v1/checkout/${id}/payment-status`, caller)).to.include({ terminal: true })
  })
})
