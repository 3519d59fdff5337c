import { expect } from 'chai'
import type { Order } from '../../../src/ports/order.ts'
import { replayCall } from './replay.ts'

const methods = (asked: readonly string[], what: string) => asked.filter((method) => method === `model.${what}`)

describe('tryton: customers', () => {
  it('are found by id and by email address in any case, and never by a pattern', async () => {
    const { byId, byMailbox, byPattern, cash, nobody } = (await replayCall('customers')).answer
    expect(byId).to.deep.include({ customer_id: '3', company: 'Half Way Tree Garage', customer_type: 'BUSINESS' })
    expect(byMailbox).to.deep.equal(byId)
    expect([byPattern, nobody]).to.deep.equal([null, null])
    expect(cash!.payment_methods).to.deep.equal(['CASH_ON_DELIVERY'])
    expect(byId!.addresses).to.deep.equal([
      {
        address_id: '3',
        is_default: true,
        line1: '3 Eastwood Park Road',
        line2: null,
        city: 'Kingston',
        region: 'Kingston',
        postal_code: null,
        country: 'JM',
      },
    ])
  })

  it('who register are created once, even with a phone number that Tryton rejects', async () => {
    const { answer, asked } = await replayCall('registered')
    const { made, again } = answer
    expect(again).to.deep.equal(made)
    expect(made).to.include({ first_name: 'Mary Ann', last_name: 'van Dyk', phone: '12-ring-me', account_number: null })
    expect(methods(asked, 'party.party.create')).to.have.length(2)
  })
})

describe('tryton: credit', () => {
  it('includes debts, open orders and overdue amounts', async () => {
    const { garage, hotel, cash } = (await replayCall('credit')).answer
    expect(garage).to.deep.include({
      credit_limit: '2000000.00',
      balance: '26220.00',
      open_orders: '0.00',
      available_credit: '1973780.00',
      overdue_balance: '26220.00',
      terms: { code: '30-DAYS', days: 30, description: '30 days' },
    })
    // A credit note of 977.50 settles the oldest: 4865 of an invoice is left.
    expect(hotel!.aging).to.deep.equal({
      current: '0.00',
      days_1_30: '3887.50',
      days_31_60: '0.00',
      days_61_90: '0.00',
      days_over_90: '0.00',
    })
    expect(hotel).to.include({ balance: '3887.50', open_orders: '977.50', available_credit: '55135.00' })
    // Tryton enforces its limit for every order, whatever the payment method.
    for (const each of [garage, hotel]) expect(each).to.include({ holds_cash_orders: true })
    expect(cash).to.include({ enabled: false, credit_limit: null, available_credit: null })
  })
})

describe('tryton: quotes', () => {
  it('price a cart by the summed quantity of each SKU, and report unknown codes', async () => {
    const { lines, promotions } = (await replayCall('quote')).answer
    expect(lines.map(({ line_id, unit_price }) => [line_id, unit_price])).to.deep.equal([
      ['a', '825.1875'],
      ['b', '825.1875'],
    ])
    expect(promotions.map(({ status, reason }) => [status, reason])).to.deep.equal([['NOT_APPLICABLE', 'UNKNOWN_CODE']])
  })
})

describe('tryton: orders', () => {
  it('have a Web ID and their shipments, and belong to the customer', async () => {
    const { garage, shipped, another } = (await replayCall('orders')).answer
    expect(garage.orders.map(({ reference, status }) => [reference, status])).to.deep.equal([
      ['ord_demo0late', 'SHIPPED'],
      ['ord_demo0paid', 'SHIPPED'],
    ])
    expect(shipped.orders.map(({ reference }) => reference)).to.deep.equal(['ord_demo0part'])
    expect(another).to.equal(null)
    const [late] = garage.orders
    expect(late!.shipments.map(({ lines }) => lines)).to.deep.equal([[{ sku: 'PAD-001', quantity: '4' }]])
    expect(late!.history.map(({ status }) => status)).to.deep.equal(['PENDING', 'CONFIRMED', 'SHIPPED'])
    expect(late!.invoiced).to.equal(true)
  })

  it('that were not placed through Forecourt are mapped from Tryton', async () => {
    const [late] = (await replayCall('orders')).answer.garage.orders
    expect(late!.lines).to.deep.equal([
      {
        sku: 'PAD-001',
        name: 'Brake Pad Set Corolla',
        quantity: '4',
        uom: 'u',
        order_uom: null,
        order_quantity: null,
        unit_price: '5700.00',
        list_unit_price: null,
        discount: '0.00',
        tax: { code: 'GCT', rate: '0.15', amount: '3420.00' },
        line_total: '26220.00',
      },
    ])
    expect(late!.totals).to.include({ subtotal: '22800.00', tax_total: '3420.00', total: '26220.00' })
  })

  it('are placed once, and cancelled with their shipment and invoice', async () => {
    const { answer, asked } = await replayCall('placed')
    const { draft, placed, again, cancelled, payment } = answer
    const order = (placed as { order: Order }).order
    expect(order).to.deep.include({ reference: draft.reference, status: 'CONFIRMED', lines: draft.lines })
    expect(again).to.deep.equal(placed)
    expect(cancelled).to.have.nested.include({
      state: 'cancelled',
      'order.status': 'CANCELLED',
      'order.cancelled_at': '2026-11-21T12:00:00.000Z',
    })
    expect(payment).to.include({ session_id: null, status: 'NOT_REQUIRED' })
    for (const once of ['sale.sale.create', 'sale.sale.quote', 'sale.sale.confirm', 'stock.shipment.out.cancel'])
      expect(methods(asked, once), once).to.have.length(1)
    expect(methods(asked, 'account.invoice.cancel')).to.have.length(1)
  })

  it('that are refused leave a cancelled sale with the reason, and are not orders', async () => {
    const { answer, asked } = await replayCall('refused')
    const { wrong, over, order } = answer
    expect(wrong).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(over).to.include({ state: 'refused', reason: 'OVER_CREDIT_LIMIT' })
    expect(order).to.equal(null)
    expect(methods(asked, 'sale.sale.create')).to.have.length(2)
    expect(methods(asked, 'sale.sale.confirm')).to.deep.equal([])
  })
})

describe('tryton: invoices', () => {
  it('come newest first, with payments, and credit notes without signs', async () => {
    const { invoices, total } = (await replayCall('invoices')).answer
    expect(total).to.equal(2)
    expect(invoices.map(({ type, status, total, balance }) => [type, status, total, balance])).to.deep.equal([
      ['CREDIT_NOTE', 'OPEN', '977.50', '977.50'],
      ['INVOICE', 'PARTIALLY_PAID', '5865.00', '4865.00'],
    ])
    const { issued_at, due_date, order_reference, payments } = invoices[1]!
    expect(payments.map(({ amount, method }) => [amount, method])).to.deep.equal([['1000.00', 'Cash']])
    expect([issued_at, due_date, order_reference]).to.deep.equal([
      '2026-10-12T05:00:00.000Z',
      '2026-11-11',
      'ord_demo0part',
    ])
  })
})

describe('tryton: feeds', () => {
  it('return changes, oldest first, without orders that have no Web ID', async () => {
    const { orders, invoices, prices, stock } = (await replayCall('feeds')).answer
    for (const { changes } of [orders, invoices, prices, stock]) {
      const times = changes.map(({ updated_at }) => updated_at)
      expect(times).to.deep.equal(times.toSorted())
    }
    expect(orders.changes.map(({ reference }) => reference)).to.include.members(['ord_demo0paid', 'ord_demo0late'])
    expect(orders.changes.map(({ reference }) => reference)).to.not.include(null)
    expect(invoices.changes.map(({ customer_id }) => customer_id)).to.include.members(['3', '6'])
    expect([prices.changes.length, prices.has_more, stock.changes.length, stock.has_more]).to.deep.equal([
      5,
      true,
      5,
      true,
    ])
  })
})
