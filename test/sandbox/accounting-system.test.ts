import { expect } from 'chai'
import { pastOrders } from '../../fixtures/orders.ts'
import * as control from '../../src/sandbox/control/accounting-control-client.ts'
import { ControlError } from '../../src/sandbox/control/control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { createOrderDraft } from '../adapters/conformance/order-draft.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
const draft = (reference: string, customerId = 'C-1008') => createOrderDraft({ reference, customerId, goods })
const cancellation = { reason: 'OTHER', note: null }

describe('the sandbox: accounting', () => {
  let ledger: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  beforeEach(async () => {
    folder = await createTempFolder()
    ledger = await startTestSystem({ system: 'accounting', directory: folder.directory })
  })

  afterEach(async () => {
    await ledger.stop()
    await folder.remove()
  })

  const place = async (body: object) => (await sendRequest(ledger, '/orders', { body })).body
  const credit = (customerId: string) => control.readLedgerCredit(ledger.controlAddress, 'demo', customerId)
  const read = async (key: string, customer = 'C-1008') =>
    (await sendRequest(ledger, `/orders/${key}?customer_id=${customer}`)).body

  it('moves the total of an order from open orders to the balance, and removes it with the payment', async () => {
    const { order } = await place(draft('ord_a'))
    expect(await credit('C-1008')).to.include({
      open_orders: '4071.00',
      balance: '0.00',
      available_credit: '1495929.00',
    })
    const invoice = await control.issueInvoice(ledger.controlAddress, 'demo', order.order_id)
    expect(invoice).to.include({ total: '4071.00', balance: '4071.00', status: 'OPEN', due_date: '2026-04-01' })
    expect(await credit('C-1008')).to.include({
      open_orders: '0.00',
      balance: '4071.00',
      available_credit: '1495929.00',
    })
    const part = await control.settleInvoice(ledger.controlAddress, 'demo', invoice.invoice_id, '1000.00')
    expect(part).to.include({ status: 'PARTIALLY_PAID', balance: '3071.00' })
    const paid = await control.settleInvoice(ledger.controlAddress, 'demo', invoice.invoice_id)
    expect(paid).to.include({ status: 'PAID', balance: '0.00', amount_paid: '4071.00' })
    expect(await credit('C-1008')).to.include({ balance: '0.00', available_credit: '1500000.00' })
    expect(
      (await sendRequest(ledger, `/orders/${order.order_id}/cancel?customer_id=C-1008`, { body: cancellation })).body,
    ).to.deep.equal({
      state: 'refused',
      status: 'CONFIRMED',
    })
  })

  it('ships a part, then the rest, then delivers the order', async () => {
    const { order } = await place(draft('ord_b'))
    const ship = (change: object) => control.shipOrder(ledger.controlAddress, 'demo', order.order_id, change)
    expect((await ship({ lines: [{ sku: goods.sku, quantity: '1' }] })).status).to.equal('PARTIALLY_SHIPPED')
    expect((await ship({})).shipments.at(-1)!.lines).to.deep.equal([{ sku: goods.sku, quantity: '2' }])
    await ship({ delivered: true })
    const { status, history, shipments } = await read(order.order_id)
    expect([status, shipments.length]).to.deep.equal(['DELIVERED', 2])
    expect(history.map((step: { status: string }) => step.status)).to.deep.equal([
      'PENDING',
      'CONFIRMED',
      'PARTIALLY_SHIPPED',
      'SHIPPED',
      'DELIVERED',
    ])
  })

  it('refuses an account on hold, an exceeded credit limit, and another currency', async () => {
    const reason = async (body: object) => (await place(body)).reason
    expect(await reason(draft('ord_c', 'C-1004'))).to.equal('ACCOUNT_ON_HOLD')
    expect(await place(draft('ord_d', 'C-1006'))).to.deep.equal({
      state: 'refused',
      reason: 'OVER_CREDIT_LIMIT',
      skus: [],
      available_credit: '50.00',
    })
    expect(await reason({ ...draft('ord_e'), currency: 'USD' })).to.equal('TOTALS_DISAGREE')
    await control.setCreditLimit(ledger.controlAddress, 'demo', 'C-1006', '200000.00')
    expect(await reason(draft('ord_d', 'C-1006'))).to.equal('OVER_CREDIT_LIMIT')
    expect((await place(draft('ord_f', 'C-1006'))).state).to.equal('placed')
  })

  it('rejects a reference of another customer', async () => {
    await place(draft('ord_g'))
    const { status, body } = await sendRequest(ledger, '/orders', { body: draft('ord_g', 'C-1001') })
    expect([status, body.error]).to.deep.equal([409, 'reference_taken'])
    expect(
      (await control.listLedgerOrders(ledger.controlAddress, 'demo')).filter((order) => order.reference),
    ).to.have.lengthOf(1)
  })

  it('refunds or cancels the payment session with the order', async () => {
    const cancel = (id: string) =>
      sendRequest(ledger, `/orders/${id}/cancel?customer_id=C-1001`, { body: cancellation })
    const payment = async (id: string) => (await sendRequest(ledger, `/orders/${id}/payment?customer_id=C-1001`)).body
    expect(await payment('SO-100121')).to.include({
      status: 'PENDING',
      redirect_url: 'https://pay.example/ps_so-100121',
    })
    await cancel('SO-100121')
    expect(await payment('SO-100121')).to.include({ status: 'CANCELLED', redirect_url: null })
    await cancel('SO-100123')
    expect(await payment('SO-100123')).to.include({ status: 'REFUNDED' })
    await control.setPaymentStatus(ledger.controlAddress, 'demo', 'SO-100122', 'PAID')
    expect((await read('SO-100122', 'C-1001')).payment_status).to.equal('PAID')
  })

  it('rejects, cancels and voids on request, or reports the reason', async () => {
    const at = ledger.controlAddress
    const failureOf = async (change: Promise<unknown>) => {
      const error = await change.then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).to.be.instanceOf(ControlError)
      const { status, detail } = error as ControlError
      return `${status} ${detail}`
    }
    expect((await control.rejectOrder(at, 'demo', 'SO-100107')).status).to.equal('REJECTED')
    expect(await failureOf(control.rejectOrder(at, 'demo', 'SO-100106'))).to.match(/^409 SO-100106 is CONFIRMED: /)
    expect(await failureOf(control.cancelOrder(at, 'demo', 'SO-100107'))).to.match(/^409 SO-100107 is REJECTED: /)
    expect(await failureOf(control.shipOrder(at, 'demo', 'SO-100107'))).to.equal(
      '409 SO-100107 is REJECTED: only a PENDING, CONFIRMED or PARTIALLY_SHIPPED order can be shipped',
    )
    expect(await failureOf(control.issueInvoice(at, 'demo', 'SO-100107'))).to.match(/^409 SO-100107 is REJECTED: /)
    expect(await failureOf(control.deliverOrder(at, 'demo', 'SO-100105'))).to.match(
      /^409 SO-100105 is PARTIALLY_SHIPPED: /,
    )
    expect(await failureOf(control.shipOrder(at, 'demo', 'SO-100104'))).to.equal(
      '409 SO-100104 is already shipped completely',
    )
    expect(await failureOf(control.shipOrder(at, 'demo', 'SO-1'))).to.equal('404 the order does not exist')
    expect(await failureOf(control.shipOrder(at, 'nobody', 'SO-100104'))).to.equal('404 the account does not exist')

    const { order } = await place(draft('ord_i'))
    const tooMany = { lines: [{ sku: goods.sku, quantity: '4' }] }
    expect(await failureOf(control.shipOrder(at, 'demo', order.order_id, tooMany))).to.equal(
      '409 only 3 of OL-1001 in this order can still be shipped',
    )
    const { invoice_id } = await control.issueInvoice(at, 'demo', order.order_id)
    expect(await failureOf(control.cancelOrder(at, 'demo', order.order_id))).to.include(`void ${invoice_id} first`)
    expect(await control.voidInvoice(at, 'demo', invoice_id)).to.include({ status: 'VOID', balance: '0.00' })
    expect(await credit('C-1008')).to.include({ balance: '0.00', open_orders: '4071.00' })
    expect(await failureOf(control.voidInvoice(at, 'demo', invoice_id))).to.equal(`409 ${invoice_id} is already VOID`)
    expect(await failureOf(control.settleInvoice(at, 'demo', invoice_id))).to.equal(`409 ${invoice_id} is already VOID`)
    expect(await failureOf(control.voidInvoice(at, 'demo', 'IN-100103'))).to.equal('409 IN-100103 has a payment')
    const cancelled = await control.cancelOrder(at, 'demo', order.order_id, 'OTHER')
    expect(cancelled).to.include({ status: 'CANCELLED', cancel_reason: 'OTHER' })
    expect(await failureOf(control.issueInvoice(at, 'demo', order.order_id))).to.match(/^409 SO-\d+ is CANCELLED: /)
  })

  it('invoices an order again when its invoice is void', async () => {
    const at = ledger.controlAddress
    const { order } = await place(draft('ord_j'))
    const first = await control.issueInvoice(at, 'demo', order.order_id)
    await control.voidInvoice(at, 'demo', first.invoice_id)
    expect((await read(order.order_id)).invoiced).to.equal(false)
    const second = await control.issueInvoice(at, 'demo', order.order_id)
    expect(second.invoice_id).to.not.equal(first.invoice_id)
    expect(second).to.include({ status: 'OPEN', total: '4071.00' })
    expect((await read(order.order_id)).invoiced).to.equal(true)
    expect(await credit('C-1008')).to.include({ balance: '4071.00', open_orders: '0.00' })
    const third = await control.issueInvoice(at, 'demo', order.order_id).catch((error) => error.detail)
    expect(third).to.equal(`${order.order_id} is already invoiced: ${second.invoice_id}`)
  })

  it('confirms a PENDING order before it ships it', async () => {
    const { history } = await control.shipOrder(ledger.controlAddress, 'demo', 'SO-100107')
    expect(history.map(({ status }) => status)).to.deep.equal(['PENDING', 'CONFIRMED', 'SHIPPED'])
  })

  it('accepts any order status', async () => {
    const { order } = await place(draft('ord_h'))
    await control.setOrderStatus(ledger.controlAddress, 'demo', order.order_id, 'REJECTED')
    expect((await read(order.order_id)).status).to.equal('REJECTED')
    expect((await credit('C-1008')).open_orders).to.equal('0.00')
  })

  it('returns a customer and its credit', async () => {
    const town = { line2: null, city: 'St. Catherine', region: 'St. Catherine', postal_code: null, country: 'JM' }
    expect((await sendRequest(ledger, '/customers/C-1004')).body).to.deep.equal({
      customer_id: 'C-1004',
      account_number: '70013',
      first_name: null,
      last_name: null,
      company: 'Portmore Taxi Cooperative',
      email: 'stores@portmore-taxi.example',
      phone: null,
      customer_type: 'BUSINESS',
      tax_exempt: false,
      status: 'ON_HOLD',
      payment_methods: ['CREDIT_TERMS', 'CASH_ON_DELIVERY'],
      addresses: [
        { address_id: 'C-1004-1', is_default: true, line1: '31 Port Henderson Road', ...town },
        { address_id: 'C-1004-2', is_default: false, line1: 'Warehouse, 31 Port Henderson Road', ...town },
      ],
      created_at: '2024-07-27T12:00:00.000Z',
    })
    const aging = {
      current: '96000.00',
      days_1_30: '88000.00',
      days_31_60: '74500.00',
      days_61_90: '31000.00',
      days_over_90: '12000.00',
    }
    expect((await sendRequest(ledger, '/customers/C-1004/credit')).body).to.deep.equal({
      customer_id: 'C-1004',
      enabled: true,
      currency: 'JMD',
      on_hold: true,
      as_of: '2026-03-02T12:00:00.000Z',
      credit_limit: '300000.00',
      balance: '301500.00',
      open_orders: '0.00',
      available_credit: '-1500.00',
      overdue_balance: '205500.00',
      terms: { code: 'NET14', days: 14, description: 'Net 14 days' },
      aging,
    })
    expect((await sendRequest(ledger, '/customers/C-1009/credit')).body).to.include({
      enabled: false,
      credit_limit: null,
      balance: null,
    })
    expect((await sendRequest(ledger, '/customers/nope')).status).to.equal(404)
  })

  it('has past orders in every status', async () => {
    const { body } = await sendRequest(ledger, '/orders?customer_id=C-1001&channel=ECOMMERCE&limit=200')
    const valuesOf = (name: string) => new Set(body.data.map((order: Record<string, unknown>) => order[name]))
    expect(valuesOf('status').size).to.equal(7)
    expect(valuesOf('payment_status').size).to.equal(8)
    const ids = body.data.map(({ order_id }: { order_id: string }) => order_id)
    expect(ids).to.not.include(pastOrders.atTheCounter.order_id)
    const invoices = await sendRequest(ledger, '/invoices?customer_id=C-1001&today=2026-03-02&limit=200')
    const states = new Set(invoices.body.data.map((invoice: { status: string }) => invoice.status))
    expect(states).to.deep.equal(new Set(['OPEN', 'PARTIALLY_PAID', 'PAID', 'VOID']))
    const overdue = await sendRequest(ledger, '/invoices?customer_id=C-1001&today=2026-03-02&status=OVERDUE')
    expect(overdue.body.data.map(({ invoice_id }: { invoice_id: string }) => invoice_id)).to.deep.equal(['IN-100102'])
    expect((await credit('C-1001')).overdue_balance).to.equal(overdue.body.data[0].balance)
  })
})
