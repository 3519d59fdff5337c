import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { respondJson, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import type { Ports } from '../conformance/subject.ts'
import { connectPorts, disconnectAll } from './ports.ts'

const since = { since: '2026-03-01T00:00:00.000Z', limit: 2, offset: 4 }
const at = '2026-03-01T10:00:00-05:00'
const inUtc = '2026-03-01T15:00:00.000Z'

const order = {
  ...createOrderDraft({ reference: 'ord_x', customerId: 'C-1', goods: { sku: 'A', uom: 'each', unitPrice: '1.00' } }),
  order_id: '1',
  order_number: '1',
  status: 'CONFIRMED',
  payment_status: 'NOT_REQUIRED',
  invoiced: false,
  placed_at: at,
  updated_at: at,
}
const invoice = {
  invoice_id: 'I',
  invoice_number: 'I',
  customer_id: 'C-1',
  status: 'OPEN',
  issued_at: at,
  updated_at: at,
  due_date: '2026-04-01',
  currency: 'JMD',
  lines: [],
  subtotal: '1',
  tax_total: '0',
  total: '1',
  amount_paid: '0',
  balance: '1',
}
const stock = { available: 3, expected: [], shelf: 'B7' }

describe('rest: change feeds', () => {
  let system: ScriptedUpstream
  let one: Required<Ports>

  before(async () => {
    system = await startScriptedUpstream()
    one = connectPorts(system.address)
  })

  after(async () => {
    await disconnectAll()
    await system.close()
  })

  const answers = (data: unknown, has_more = false) => {
    system.script = respondJson({ data, has_more })
  }
  const feeds = () => [
    one.inventory.stockChanges!(since, createCall()),
    one.pricing.priceChanges!(since, createCall()),
    one.accounting.orderChanges!(since, createCall()),
    one.accounting.invoiceChanges!(since, createCall()),
  ]

  it('declare their watermark overlap', () => {
    for (const port of Object.values(one)) expect(port.watermarkOverlapSeconds).to.equal(5)
  })

  it('leave out an invalid row, even the only one, and keep has_more', async () => {
    for (const data of [[null, 7], [{}], [{ ...order, ...invoice, sku: 'A', stock, updated_at: 'lately' }]]) {
      answers(data, true)
      for (const page of await Promise.all(feeds())) expect(page).to.deep.equal({ changes: [], has_more: true })
    }
    answers([
      { sku: 'A', updated_at: at, stock: { available: '3' } },
      { sku: 'B', updated_at: at, stock, cost: '2.00' },
    ])
    expect(await one.inventory.stockChanges!(since, createCall())).to.deep.equal({
      changes: [{ sku: 'B', updated_at: inUtc, stock: { available: 3, expected: [] } }],
      has_more: false,
    })
  })

  it('include only orders of the channel, and the customer of an invoice', async () => {
    answers([{ ...order, channel: 'COUNTER' }, order])
    const orders = await one.accounting.orderChanges!(since, createCall())
    expect(
      orders.changes.map(({ order_id, customer_id, updated_at }) => [order_id, customer_id, updated_at]),
    ).to.deep.equal([['1', 'C-1', inUtc]])
    answers([invoice, { ...invoice, customer_id: undefined }])
    const { changes } = await one.accounting.invoiceChanges!(since, createCall())
    expect(changes).to.have.lengthOf(1)
    expect(changes[0]).to.include({ invoice_id: 'I', customer_id: 'C-1', updated_at: inUtc, total: '1.00' })
  })

  it('cut a page to its limit, and set has_more', async () => {
    answers(['A', 'B', 'C'].map((sku) => ({ sku, updated_at: at })))
    const page = await one.pricing.priceChanges!(since, createCall())
    expect([page.changes.map(({ sku }) => sku), page.has_more]).to.deep.equal([['A', 'B'], true])
  })

  it("fail with 'not_configured' on an older back office, and with its own failures otherwise", async () => {
    for (const error of ['not_offered', 'not_found']) {
      system.script = respondJson({ error, detail: 'y' }, 404)
      for (const failed of await Promise.all(feeds().map(failureOf))) expect(failed.failure).to.equal('not_configured')
    }
    for (const [status, failure] of [
      [404, 'invalid'],
      [400, 'rejected'],
      [401, 'unauthorized'],
      [500, 'error'],
      [429, 'rate_limited'],
    ] as const) {
      system.script = respondJson({ error: 'x', detail: 'y' }, status)
      for (const failed of await Promise.all(feeds().map(failureOf)))
        expect(failed.failure, `${status}`).to.equal(failure)
    }
    answers(null)
    for (const failed of await Promise.all(feeds().map(failureOf))) expect(failed.failure).to.equal('invalid')
  })
})
