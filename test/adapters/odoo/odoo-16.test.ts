import { expect } from 'chai'
import { Type } from 'typebox'
import type { Specification } from '../../../adapters/odoo/client/rpc.ts'
import { foundShape } from '../../../adapters/odoo/client/rpc.ts'
import { createTaxTableReader } from '../../../adapters/odoo/pricing/tax-tables.ts'
import { createCall } from '../../support/create-call.ts'
import { context, exchange, login, paramsOf, withOlderOdoo } from './older-odoo-upstream.ts'

const Records = foundShape(Type.Unknown())
type Answers = Record<string, unknown>

/** The models that fields link to, as `fields_get` of Odoo 16 returns them. */
const RELATIONS: Record<string, string> = {
  'sale.order/order_line': 'sale.order.line',
  'sale.order/partner_id': 'res.partner',
  'sale.order.line/invoice_lines': 'account.move.line',
  'sale.order.line/product_id': 'product.product',
  'account.payment.term/line_ids': 'account.payment.term.line',
  'account.fiscal.position/tax_ids': 'account.fiscal.position.tax',
  'account.fiscal.position/country_group_id': 'res.country.group',
}

/** Reads records from an Odoo 16 with these answers. Returns them, and the calls: the method, its records and its named arguments. */
async function read(model: string, specification: Specification, answers: Answers, search: object = {}) {
  const sent: { method: string; ids: number[] | undefined; named: Record<string, unknown> }[] = []
  const records = await withOlderOdoo(
    (method, named, ids) => {
      sent.push({ method, ids, named })
      const [of, name] = method.split('/')
      if (name === 'fields_get') {
        const [field] = named.allfields as string[]
        return { result: { [field!]: { relation: RELATIONS[`${of}/${field}`] } } }
      }
      const result = answers[method]
      return { result: name === 'web_search_read' ? { length: (result as []).length, records: result } : result }
    },
    async (rpc) => (await rpc.search(Records, model, { domain: [], specification, ...search }, createCall())).records,
    { version: '16.0' },
  )
  return { records, sent }
}

const readOne = async (model: string, fields: string[], row: object, more: Answers = {}) => {
  const specification = Object.fromEntries(fields.map((field) => [field, {}]))
  const answers = { [`${model}/web_search_read`]: [{ id: 1, ...row }], ...more }
  const { records, sent } = await read(model, specification, answers)
  return { record: records[0], asked: sent[0]!.named.fields, sent }
}

describe('odoo: version 16', () => {
  it('reads linked records by further calls, one after the other', async () => {
    const product = { fields: { default_code: {} } }
    const specification = { name: {}, order_line: { fields: { name: {}, product_id: product } }, partner_id: {} }
    const { records, sent } = await read('sale.order', specification, {
      'sale.order/web_search_read': [
        { id: 1, name: 'S00001', order_line: [11, 12], partner_id: [7, 'HWT Garage'] },
        { id: 2, name: 'S00002', order_line: [13], partner_id: [8, 'Other Workshop'] },
      ],
      // Line 13 was deleted meanwhile.
      'sale.order.line/read': [
        { id: 11, name: 'Pads', product_id: [3, '[PAD] Pads'] },
        { id: 12, name: 'Free text', product_id: false },
      ],
      'product.product/read': [{ id: 3, default_code: 'PAD' }],
    })
    expect(records).to.deep.equal([
      {
        id: 1,
        name: 'S00001',
        order_line: [
          { id: 11, name: 'Pads', product_id: { id: 3, default_code: 'PAD' } },
          { id: 12, name: 'Free text', product_id: false },
        ],
        partner_id: 7,
      },
      { id: 2, name: 'S00002', order_line: [], partner_id: 8 },
    ])
    expect(sent.map(({ method, ids }) => [method, ids])).to.deep.equal([
      ['sale.order/web_search_read', undefined],
      ['sale.order/fields_get', undefined],
      ['sale.order.line/read', [11, 12, 13]],
      ['sale.order.line/fields_get', undefined],
      ['product.product/read', [3]],
    ])
    expect(sent[0]!.named).to.deep.equal({ domain: [], fields: ['id', 'name', 'order_line', 'partner_id'], context })
    expect(sent[2]!.named).to.deep.equal({ fields: ['id', 'name', 'product_id'], context })
  })

  it('reads only the id where no field is asked for, instead of all fields', async () => {
    const { record, asked } = await readOne('account.payment.term', [], {})
    expect([record, asked]).to.deep.equal([{ id: 1 }, ['id']])
  })

  it('treats locked orders as confirmed ones', async () => {
    expect((await readOne('sale.order', ['state'], { state: 'done' })).record).to.deep.equal({ id: 1, state: 'sale' })
    const domainFor = async (leaf: unknown[], model = 'sale.order') => {
      const { sent } = await exchange(`${model}/search_count`, { domain: ['|', leaf, ['id', '=', 1]] }, 0, '16.0')
      return (sent[3] as { domain: unknown[] }).domain[1]
    }
    expect(await domainFor(['state', '=', 'sale'])).to.deep.equal(['state', 'in', ['sale', 'done']])
    expect(await domainFor(['state', 'in', ['sale', 'cancel']])).to.deep.equal([
      'state',
      'in',
      ['sale', 'cancel', 'done'],
    ])
    expect(await domainFor(['state', '=', 'cancel'])).to.deep.equal(['state', '=', 'cancel'])
    expect(await domainFor(['state', '=', 'sale'], 'x.order')).to.deep.equal(['state', '=', 'sale'])
  })

  it('sums what is invoiced of an order, before it reads what the customer owes', async () => {
    const line = (id: number, price_total: number, more = {}) => ({
      ...{ id, price_total, parent_state: 'posted', move_type: 'out_invoice' },
      ...more,
    })
    const specification = { amount_invoiced: {}, partner_id: { fields: { credit: {} } } }
    const { records, sent } = await read('sale.order', specification, {
      'sale.order/web_search_read': [{ id: 1, order_line: [11, 12], partner_id: [7, 'HWT Garage'] }],
      'sale.order.line/read': [
        { id: 11, invoice_lines: [21, 22] },
        { id: 12, invoice_lines: [22, 23, 24] },
      ],
      'account.move.line/read': [
        line(21, 0.1),
        line(22, 0.2),
        line(23, 0.05, { move_type: 'out_refund' }),
        line(24, 99, { parent_state: 'draft' }),
      ],
      'res.partner/read': [{ id: 7, credit: 12.5 }],
    })
    expect(records).to.deep.equal([{ id: 1, amount_invoiced: 0.25, partner_id: { id: 7, credit: 12.5 } }])
    expect(sent.map(({ method }) => method).filter((method) => method.endsWith('/read'))).to.deep.equal([
      'sale.order.line/read',
      'account.move.line/read',
      'res.partner/read',
    ])
  })

  it('reads fields by their older names, and does not ask for those that it lacks', async () => {
    const tax = await readOne('account.tax', ['name', 'invoice_label'], { name: 'GCT', description: '15 %' })
    expect(tax.asked).to.deep.equal(['id', 'name', 'description'])
    expect(tax.record).to.deep.include({ id: 1, name: 'GCT', invoice_label: '15 %' })
    const move = await readOne('stock.move', ['quantity'], { quantity_done: 3 })
    expect([move.asked, move.record]).to.deep.equal([['id', 'quantity_done'], { id: 1, quantity: 3 }])
    const program = await readOne('loyalty.program', ['date_from', 'date_to', 'pricelist_ids'], { date_to: false })
    expect(program.asked).to.deep.equal(['id', 'date_to'])
    expect(program.record).to.deep.equal({ id: 1, date_from: false, date_to: false, pricelist_ids: [] })
  })

  it('reads delivery methods without limits and tags, whose margin is a percentage', async () => {
    const fields = ['margin', 'fixed_margin', 'max_weight', 'max_volume', 'must_have_tag_ids', 'excluded_tag_ids']
    const { record, asked } = await readOne('delivery.carrier', fields, { margin: 7.5 })
    expect(asked).to.deep.equal(['id', 'margin'])
    expect(record).to.deep.equal({
      id: 1,
      ...{ margin: 0.075, fixed_margin: 0, max_weight: 0, max_volume: 0 },
      ...{ must_have_tag_ids: [], excluded_tag_ids: [], has_uniform_terms: true },
    })
  })

  it('counts the days of a payment term from its months and days', async () => {
    const specification = { line_ids: { fields: { nb_days: {} } } }
    const { records } = await read('account.payment.term', specification, {
      'account.payment.term/web_search_read': [{ id: 4, line_ids: [15, 17, 19] }],
      'account.payment.term.line/read': [
        { id: 15, months: 0, days: 30, days_after: 0 },
        { id: 17, months: 2, days: 0, days_after: 0 },
        { id: 19, months: 1, days: 0, days_after: 10 },
      ],
    })
    const days = (records[0] as { line_ids: { nb_days: number }[] }).line_ids.map(({ nb_days }) => nb_days)
    expect(days).to.deep.equal([30, 60, 40])
  })

  it('reads the document of an invoice from the attachment with its number', async () => {
    const search = (found: object[]) =>
      readOne(
        'account.move',
        ['invoice_pdf_report_file'],
        { name: 'INV/2026/00001' },
        { 'ir.attachment/search_read': found },
      )
    const { record, sent } = await search([{ id: 9, datas: 'JVBERg==' }])
    expect(record).to.deep.equal({ id: 1, invoice_pdf_report_file: 'JVBERg==' })
    expect(sent.at(-1)!.named.domain).to.deep.equal([
      ['res_model', '=', 'account.move'],
      ['res_id', '=', 1],
      ['name', '=', 'INV_2026_00001.pdf'],
    ])
    expect((await search([])).record).to.deep.equal({ id: 1, invoice_pdf_report_file: false })
  })

  it('finds the invoices of a customer without those that have lines of others', async () => {
    const own = ['invoice_line_ids.sale_line_ids.order_id.partner_id', '=', 7]
    const ofOthers = [['sale_line_ids', 'any', [['order_id.partner_id', '!=', 7]]]]
    const child = ['partner_id', 'child_of', [7]]
    const domain = ['|', child, '&', own, ['invoice_line_ids', 'not any', ofOthers]]
    const { sent } = await read(
      'account.move',
      { name: {} },
      { 'account.move/search': [5, 6], 'account.move/web_search_read': [] },
      { domain },
    )
    expect(sent.map(({ method, named }) => [method, named.domain])).to.deep.equal([
      ['account.move/search', [own, ['invoice_line_ids.sale_line_ids.order_id.partner_id', '!=', 7]]],
      ['account.move/web_search_read', ['|', child, '&', own, ['id', 'not in', [5, 6]]]],
    ])
  })

  it('names the warehouse of quantities as the older key of the context', async () => {
    const { sent } = await read(
      'product.product',
      { free_qty: {} },
      { 'product.product/web_search_read': [] },
      {
        context: { warehouse_id: 2 },
      },
    )
    expect(sent[0]!.named.context).to.deep.equal({ ...context, warehouse: 2 })
  })

  it('sorts groups by a count that it reads, because it knows no other', async () => {
    const args = { domain: [], groupby: ['default_code'], aggregates: ['id:array_agg'], having: [['__count', '>', 1]] }
    const { answer, sent } = await exchange(
      'product.product/formatted_read_group',
      args,
      [{ default_code: 'DUP', aggregate0: [1, 2], records: 2, __count: 2 }],
      '16.0',
    )
    expect(sent[3]).to.deep.include({
      fields: ['aggregate0:array_agg(id)', 'records:count(id)'],
      orderby: 'records desc',
    })
    expect((answer as Record<string, unknown>[])[0]!['id:array_agg']).to.deep.equal([1, 2])
  })

  it('tries automatic fiscal positions with a tax number first, and the more specific ones before others', async () => {
    const position = (id: number, more: object) => ({
      ...{ id, tax_ids: [], auto_apply: true, vat_required: false, zip_from: false, zip_to: false },
      ...{ country_id: false, state_ids: [], country_group_id: false },
      ...more,
    })
    const zip = { zip_from: '10', zip_to: '20' }
    const jamaica = { country_id: [10, 'Jamaica'] }
    const group = { country_group_id: [3, 'Caribbean'] }
    const rows: Answers = {
      'account.tax/web_search_read': [],
      'product.category/web_search_read': [],
      'account.fiscal.position/web_search_read': [
        position(1, {}),
        position(2, group),
        position(3, { ...group, ...zip }),
        position(4, jamaica),
        position(5, { ...jamaica, state_ids: [1] }),
        position(6, { ...jamaica, ...zip }),
        position(7, { ...jamaica, ...zip, state_ids: [1] }),
        position(8, { vat_required: true, ...zip }),
        position(9, { ...jamaica, ...group }),
      ],
      'res.country.group/read': [{ id: 3, country_ids: [10, 11] }],
    }
    await withOlderOdoo(
      (method, { allfields }) => {
        const [model, name] = method.split('/')
        if (name === 'fields_get')
          return { result: { [String(allfields)]: { relation: RELATIONS[`${model}/${allfields}`] } } }
        const result = rows[method]
        return { result: name === 'web_search_read' ? { length: 0, records: result } : result }
      },
      async (rpc, upstream) => {
        const { automaticPositions } = await createTaxTableReader(rpc, login, () => 0)(createCall())
        expect(automaticPositions.map(({ id }) => id)).to.deep.equal([8, 7, 6, 5, 4, 9, 2, 1])
        expect(automaticPositions[0]).to.include({ zip_from: false, zip_to: false })
        expect(automaticPositions[5]).to.include({ country_group_id: false })
        const asked = paramsOf(upstream).find(({ args }) => args[3] === 'account.fiscal.position')!
        expect((asked.args[6] as { fields: string[] }).fields).to.include.members(['tax_ids', 'auto_apply'])
      },
      { version: '16.0' },
    )
  })
})
