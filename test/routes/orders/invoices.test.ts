import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { issueInvoice, settleInvoice } from '../../../src/sandbox/control/accounting-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: knownSkus.inStock, quantity: 1 }

describe('invoices', () => {
  let api: Api
  let shopper: CartShopper
  let invoiceId: string
  let orderId: string
  /** The current time until a test sets it; never goes back. */
  let clock: number | undefined

  before(async () => {
    api = await startApi({ now: () => clock ?? Date.now() })
    shopper = await cartShopper(api, { customer: 'C-1003' })
    orderId = await shopper.order(line, { po_number: 'PO-9' })
    const row = api.db.selectFrom('orders').select('placed').where('order_id', '=', orderId)
    const { order_id } = JSON.parse((await row.executeTakeFirstOrThrow()).placed!)
    invoiceId = (await issueInvoice(api.systems.accounting.controlAddress, 'acme', order_id)).invoice_id
  })
  after(() => api[Symbol.asyncDispose]())
  afterEach(() => api.clearFaults())

  const get = (path: string, caller = shopper) => caller.ask('GET', path)

  it("lists the customer's invoices, and returns one", async () => {
    const { body } = await get('/v1/invoices?limit=100')
    const item = body.data.find((invoice: { invoice_id: string }) => invoice.invoice_id === invoiceId)
    expect(item).to.deep.include({ order_id: orderId, po_number: 'PO-9', status: 'OPEN', days_overdue: 0 })
    const { body: whole } = await get(`/v1/invoices/${invoiceId}`)
    expect(whole).to.deep.include({ ...item, errors: [] })
    expect(whole.lines).to.have.length(1)
    expect(whole.taxes[0]).to.include({ code: 'GCT', rate: '0.15' })
  })

  it('returns an empty page past the end, however far', async () => {
    for (const list of ['invoices', 'orders']) {
      const { status, body } = await get(`/v1/${list}?offset=9007199254740991`)
      expect([status, body.data, body.pagination.has_more]).to.deep.equal([200, [], false])
    }
  })

  it('are overdue from the day after the due date, in the merchant’s time zone', async () => {
    const { due_date } = (await get(`/v1/invoices/${invoiceId}`)).body
    // Jamaica is five hours behind UTC, all year round.
    const midnight = Date.parse(`${due_date}T05:00:00.000Z`) + 86_400_000
    clock = midnight - 1
    expect((await get(`/v1/invoices/${invoiceId}`)).body).to.include({ status: 'OPEN', days_overdue: 0 })
    clock = midnight
    expect((await get(`/v1/invoices/${invoiceId}`)).body).to.include({ status: 'OVERDUE', days_overdue: 1 })
    const ids = async (status: string) => {
      const { data } = (await get(`/v1/invoices?status=${status}&limit=100`)).body
      expect(data.every((invoice: { status: string }) => invoice.status === status)).to.equal(true)
      return data.map((invoice: { invoice_id: string }) => invoice.invoice_id)
    }
    expect(await ids('OVERDUE')).to.include(invoiceId)
    expect(await ids('VOID')).to.not.include(invoiceId)
  })

  it('report payments, and are overdue until fully paid', async () => {
    await settleInvoice(api.systems.accounting.controlAddress, 'acme', invoiceId, '1.00')
    const { body } = await get(`/v1/invoices/${invoiceId}`)
    expect(body).to.deep.include({ status: 'OVERDUE', amount_paid: { amount: '1.00', currency: 'JMD' } })
    expect(body.payments).to.have.length(1)
    await settleInvoice(api.systems.accounting.controlAddress, 'acme', invoiceId)
    expect((await get(`/v1/invoices/${invoiceId}`)).body).to.include({ status: 'PAID', days_overdue: 0 })
  })

  it('are 404 for another customer, and for an unknown id', async () => {
    const stranger = await cartShopper(api, { customer: 'C-1008' })
    const [foreign, absent] = [
      await get(`/v1/invoices/${invoiceId}`, stranger),
      await get('/v1/invoices/none', stranger),
    ]
    expect(foreign.status).to.equal(404)
    expect({ ...foreign.body, request_id: '' }).to.deep.equal({ ...absent.body, request_id: '' })
    const { data } = (await get('/v1/invoices?limit=100', stranger)).body
    expect(data.map((invoice: { invoice_id: string }) => invoice.invoice_id)).to.not.include(invoiceId)
  })

  it('return 502 while accounting fails and nothing is cached', async () => {
    await api.fault('accounting', { status: 500 })
    expect((await get('/v1/invoices?limit=7')).status).to.equal(502)
  })
})
