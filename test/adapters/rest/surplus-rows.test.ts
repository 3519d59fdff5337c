import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { respondJson, type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import type { Ports } from '../conformance/subject.ts'
import { connectPorts, disconnectAll } from './ports.ts'

const ROWS = 500
const at = '2026-03-01T00:00:00Z'
const product = { name: 'Pads', uom: 'each', active: true, updated_at: at }
const price = { amount: '1.00', price_type: 'LIST', list_amount: '1.00', tax_included: false, uom: 'each', as_of: at }
const order = {
  order_number: '1',
  customer_id: 'C',
  currency: 'JMD',
  status: 'CONFIRMED',
  payment_status: 'PAID',
  payment_method: 'CREDIT_TERMS',
  lines: [],
  totals: { subtotal: '1', tax_total: '0', total: '1', tax_included: false },
  placed_at: at,
  updated_at: at,
  invoiced: false,
}
const amounts = { subtotal: '1', tax_total: '0', total: '1', amount_paid: '0', balance: '1' }
const invoice = { customer_id: 'C', invoice_number: '1', status: 'OPEN', currency: 'JMD', lines: [], ...amounts }
const dated = { ...invoice, issued_at: at, due_date: '2026-03-01' }

describe('rest: more rows than requested', () => {
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

  const answerRows = (row: (index: number) => object) => {
    const data = Array.from({ length: ROWS }, (_, index) => row(index))
    system.script = respondJson({ data, total: ROWS, has_more: false })
  }

  /** Counts the timestamps that a read parses: each row has one at least. */
  async function countParsed(read: () => Promise<{ length: number }>): Promise<{ rows: number; timestamps: number }> {
    const parse = Date.parse
    let timestamps = 0
    Date.parse = (text) => {
      timestamps += 1
      return parse(text)
    }
    try {
      return { rows: (await read()).length, timestamps }
    } finally {
      Date.parse = parse
    }
  }

  const page = { limit: 2, offset: 0 }
  const today = '2026-03-01'
  const reads: Record<string, [row: (index: number) => object, read: () => Promise<{ length: number }>]> = {
    items: [
      (index) => ({ sku: `S${index}`, product }),
      () => one.inventory.items(['S400', 'S401'], BOTH_ITEM_PARTS, createCall()),
    ],
    'items with one SKU many times': [
      () => ({ sku: 'S400', product }),
      () => one.inventory.items(['S400'], BOTH_ITEM_PARTS, createCall()),
    ],
    prices: [
      (index) => ({ sku: `S${index}`, ...price }),
      () => one.pricing.prices(['S400', 'S401'], null, createCall()),
    ],
    search: [
      (index) => ({ sku: `S${index}`, product }),
      async () => (await one.inventory.search(page, BOTH_ITEM_PARTS, createCall())).items,
    ],
    orders: [
      (index) => ({ order_id: `O${index}`, ...order }),
      async () => (await one.accounting.orders!('C', page, createCall())).orders,
    ],
    invoices: [
      (index) => ({ invoice_id: `I${index}`, ...dated }),
      async () => (await one.accounting.invoices!('C', { ...page, today }, createCall())).invoices,
    ],
  }

  for (const [name, [row, read]] of Object.entries(reads))
    it(`are cut before they are validated: ${name}`, async () => {
      answerRows(row)
      const { rows, timestamps } = await countParsed(read)
      expect(rows).to.equal(name.includes('one SKU') ? 1 : 2)
      expect(timestamps).to.be.lessThan(20)
    })

  it('do not hide that there are more', async () => {
    answerRows((index) => ({ order_id: `O${index}`, ...order }))
    expect((await one.accounting.orders!('C', page, createCall())).has_more).to.equal(true)
    answerRows((index) => ({ invoice_id: `I${index}`, ...dated }))
    expect((await one.accounting.invoices!('C', { ...page, today }, createCall())).has_more).to.equal(true)
  })

  it('do not push a valid row out that follows an invalid one', async () => {
    system.script = respondJson({ data: [{ sku: 'A', amount: 7 }, null, { sku: 'B' }, { sku: 'A', ...price }] })
    expect(await one.pricing.prices(['A'], null, createCall())).to.have.length(1)
  })
})
