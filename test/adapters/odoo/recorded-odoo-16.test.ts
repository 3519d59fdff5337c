import { expect } from 'chai'
import type { callsToRecord } from './calls-to-record.ts'
import { replayCall } from './replay.ts'

const replay = <Name extends keyof typeof callsToRecord>(name: Name) => replayCall(name, {}, 'odoo-16')

describe('odoo: recordings of version 16', () => {
  it('have products with stock, receipts and variants', async () => {
    const { answer } = await replay('items')
    const items = Object.fromEntries(answer.map((item) => [item.sku, item]))
    expect(items['PAD-001']!.product).to.deep.include({ name: 'Brake Pads Front', tags: ['bestseller'], uom: 'Units' })
    expect(items['PAD-001']!.product!.order_uoms).to.deep.equal([])
    expect(items['PAD-003']!.stock).to.deep.include({ available: 0, expected: [{ date: '2026-12-02', quantity: 12 }] })
    expect(items['SRV-001']!.stock).to.deep.equal({ available: 0, expected: [], untracked: true })
    expect(items['GLV-L']!.product!.options).to.deep.equal([{ name: 'Size', value: 'L' }])
    expect(items).to.not.have.property('NONE')
  })

  it('have the categories of the website, and tags', async () => {
    const { categories, tags } = (await replay('categories')).answer
    const parent = categories.find(({ slug }) => slug === 'filters')!
    expect(categories.find(({ slug }) => slug === 'oil-filters')).to.include({ parent_id: parent.category_id })
    expect(tags.map(({ tag }) => tag)).to.deep.equal(['bestseller', 'clearance'])
  })

  it('have the prices of a list and of a customer, with the taxes of a fiscal position', async () => {
    const { list, contract, exempt, taxes, none, unknown } = (await replay('prices')).answer
    expect(list.map(({ sku, amount }) => [sku, amount])).to.deep.equal([
      ['OFL-001', '1250.00'],
      ['INC-001', '1150.00'],
    ])
    expect(contract[0]).to.deep.include({ amount: '1100.00', price_type: 'CONTRACT' })
    expect(contract[0]!.breaks.length).to.be.at.least(2)
    expect(exempt[0]!.amount).to.equal('1000.00')
    expect(taxes.map(({ rate }) => rate)).to.deep.equal(['0.15', '0.15'])
    expect(none[0]).to.include({ rate: '0' })
    expect(unknown).to.include({ failure: 'rejected' })
  })

  it('have customers with their credit, one of them on hold', async () => {
    const { garage, byEmail, byPattern, held, credit, cash } = (await replay('customers')).answer
    expect(byEmail).to.deep.equal(garage)
    expect(byPattern).to.equal(null)
    expect(held).to.include({ status: 'ON_HOLD' })
    expect(cash).to.include({ enabled: false })
    const { credit_limit, balance, open_orders, available_credit } = credit!
    const left = Number(credit_limit) - Number(balance) - Number(open_orders)
    expect(Number(available_credit)).to.be.closeTo(left, 0.001)
  })

  it('have an order that was placed once, and cancelled', async () => {
    const { draft, placed, again, cancelled } = (await replay('placed')).answer
    expect(placed).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
    expect(placed).to.have.nested.property('order.totals').that.deep.equals(draft.totals)
    expect(again).to.deep.equal(placed)
    expect(cancelled).to.have.nested.include({ 'order.status': 'CANCELLED', 'order.cancel_reason': 'CUSTOMER_REQUEST' })
  })

  it('have an order with a delivery', async () => {
    const { options, draft, order } = (await replay('delivered')).answer
    expect(options.find(({ name }) => name === 'Van')).to.deep.include({ price: '777.77' })
    expect(order).to.deep.include({ totals: draft.totals, delivery: draft.delivery, lines: draft.lines })
  })

  it('have orders that were refused', async () => {
    const { wrong, over, order } = (await replay('refused')).answer
    expect(wrong).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(over).to.include({ state: 'refused', reason: 'OVER_CREDIT_LIMIT' })
    expect(order).to.equal(null)
  })

  it('have a shipped order and its paid invoice', async () => {
    const { order, invoices } = (await replay('past')).answer
    expect(order).to.include({ status: 'SHIPPED', invoiced: true })
    expect(invoices.invoices.map(({ status }) => status)).to.deep.equal(['PAID'])
  })
})
