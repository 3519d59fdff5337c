import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import { detectImageFormat } from '../../../src/media/detect-image-format.ts'
import type { InventoryItem } from '../../../src/ports/inventory.ts'
import { replayCall } from './replay.ts'

const bySku = (items: readonly InventoryItem[]) => Object.fromEntries(items.map((item) => [item.sku, item]))
const skusOf = ({ items }: { items: readonly InventoryItem[] }) => items.map(({ sku }) => sku)

describe('odoo: inventory', () => {
  it('reads products and stock in one call, and receipts in another one when something out of stock is awaited', async () => {
    const { answer, asked } = await replayCall('items')
    expect(asked.filter((method) => method.startsWith('product.product/web_search_read'))).to.have.length(1)
    expect(asked.filter((method) => method.startsWith('stock.move/'))).to.have.length(1)
    const items = bySku(answer)
    expect(items['PAD-003']?.stock).to.deep.equal({
      available: 0,
      expected: [{ date: '2026-12-02', quantity: 12 }],
      sell_when_out: true,
    })
    expect(items['SRV-001']?.stock).to.deep.equal({ available: 0, expected: [], untracked: true })
    expect(items).to.not.have.property('NONE')
  })

  it('reads the stock of each warehouse in one call, with the setting', async () => {
    const { answer, asked } = await replayCall('branches')
    const stocks = bySku(answer)
    const branches = stocks['PAD-001']!.stock!.branches!
    expect(branches.map(({ branch_id, name }) => [branch_id, name])).to.deep.equal([
      ['WH', 'My Company'],
      ['WH2', 'Depot Two'],
    ])
    const sum = branches.reduce((total, { available }) => total + available, 0)
    expect([sum, branches[1]!.available]).to.deep.equal([stocks['PAD-001']!.stock!.available, 7])
    expect(stocks['PAD-003']!.stock!.branches!.map(({ available }) => available)).to.deep.equal([0, 0])
    expect(stocks['SRV-001']!.stock).to.not.have.property('branches')
    expect(asked.filter((method) => method.startsWith('stock.quant/'))).to.have.length(1)
    expect(bySku((await replayCall('items')).answer)['PAD-001']!.stock).to.not.have.property('branches')
  })

  it('counts goods without a quantity as none, such as those that staff first counted as none', async () => {
    const counted = { product_id: [126, 'Goods'], location_id: [5, 'WH/Stock'] }
    const answer = [{ ...counted, 'quantity:sum': false, 'reserved_quantity:sum': 0 }]
    const { answer: items } = await replayCall('branches', {
      'stock.quant/formatted_read_group': { status: 200, answer },
    })
    expect(bySku(items)['PAD-003']!.stock!.branches!.map(({ available }) => available)).to.deep.equal([0, 0])
  })

  it('maps a complete product', async () => {
    const { product } = bySku((await replayCall('items')).answer)['PAD-001']!
    expect(product).to.deep.include({
      name: 'Brake Pads Front',
      slug: 'brake-pads-front-pad-001',
      description: 'Ceramic pads.',
      barcode: '0123456789012',
      brand: null,
      categories: [{ category_id: '3', name: 'Brakes', slug: 'brakes' }],
      tags: ['bestseller'],
      uom: 'Units',
      order_uoms: [{ uom: 'Pack of 6', factor: '6', min: '1', increment: '1' }],
      active: true,
    })
  })

  it('names a variant with its values', async () => {
    expect(bySku((await replayCall('items')).answer)['GLV-L']?.product?.name).to.equal('Work Gloves (L)')
  })

  it('says what a variant is a variant of, and its options', async () => {
    const items = bySku((await replayCall('items')).answer)
    expect(items['GLV-L']?.product).to.deep.include({
      variant_of: { parent_id: '140', name: 'Work Gloves' },
      options: [{ name: 'Size', value: 'L' }],
    })
    expect(items['PAD-001']?.product).to.not.have.any.keys('variant_of', 'options')
  })

  it('represents a SKU with several records by the one on sale, then the oldest', async () => {
    const items = bySku((await replayCall('items')).answer)
    expect(items['DUP-001']?.product?.name).to.equal('Doubled: the older record')
    expect(items['DUP-002']?.product).to.include({ name: 'Replaced: the record in use', active: true })
    expect(items['OLD-001']?.product?.active).to.equal(false)
  })

  it('finds words without their accents, which Odoo itself compares', async () => {
    expect(skusOf((await replayCall('words')).answer)).to.deep.equal(['50%_X\\Y/#1'])
  })

  it('reads a page in one call with its total', async () => {
    const { answer, asked } = await replayCall('page')
    expect([answer.items.length, answer.has_more]).to.deep.equal([3, true])
    expect(answer.total).to.be.greaterThan(3)
    expect(asked.filter((method) => method === 'product.product/web_search_read')).to.have.length(2)
  })

  it('returns the website categories as a tree, and tags', async () => {
    const { categories, tags } = (await replayCall('categories')).answer
    expect(categories.map(({ slug, parent_id }) => [slug, parent_id])).to.deep.equal([
      ['filters', null],
      ['oil-filters', '1'],
      ['brakes', null],
      ['care', null],
    ])
    expect(tags.map(({ tag }) => tag)).to.deep.equal(['bestseller', 'clearance'])
  })

  it('returns the original of a picture', async () => {
    const { media, original } = (await replayCall('picture')).answer
    expect(original && 'bytes' in original && detectImageFormat(original.bytes)).to.equal('png')
    expect(media!.large_url).to.include(original!.version)
  })
})

describe('odoo: pricing', () => {
  it('applies the price list of a customer, with breaks', async () => {
    const { list, contract } = (await replayCall('prices')).answer
    expect(list.map(({ sku, amount, tax_included }) => [sku, amount, tax_included])).to.deep.equal([
      ['OFL-001', '1250.00', false],
      ['INC-001', '1150.00', true],
    ])
    const [filter, oil] = contract
    expect([oil?.amount, oil?.price_type]).to.deep.equal(['8010.00', 'CONTRACT'])
    expect(filter).to.deep.include({
      amount: '1100.00',
      list_amount: '1250.00',
      breaks: [
        { min_quantity: '10', amount: '1000.00' },
        { min_quantity: '50', amount: '900.00' },
      ],
    })
  })

  it('maps taxes by the fiscal position of a customer', async () => {
    const { taxes, none } = (await replayCall('prices')).answer
    expect(taxes.map(({ sku, code, rate }) => [sku, code, rate])).to.deep.equal([
      ['OFL-001', 'GCT', '0.15'],
      ['INC-001', 'GCT-INCL', '0.15'],
    ])
    expect(none[0]).to.include({ name: 'Exempt', rate: '0' })
  })

  it('rejects an unknown customer', async () => {
    const { unknown } = (await replayCall('prices')).answer
    expect(unknown).to.be.instanceOf(UpstreamError).and.include({ failure: 'rejected' })
  })
})

describe('odoo: accounting', () => {
  it('reads customers, with an archived one on hold', async () => {
    const { garage, byEmail, byPattern, held } = (await replayCall('customers')).answer
    expect(garage).to.deep.include({
      customer_id: '6',
      email: 'Orders@hwtgarage.example',
      company: 'HWT Garage',
      customer_type: 'BUSINESS',
      status: 'ACTIVE',
      payment_methods: ['CREDIT_TERMS', 'CASH_ON_DELIVERY'],
    })
    expect(garage!.addresses.map(({ city, is_default }) => [city, is_default])).to.deep.include(['Kingston', true])
    expect([byEmail, byPattern, held?.status]).to.deep.equal([garage, null, 'ON_HOLD'])
  })

  it('computes the credit that is left', async () => {
    const { credit, cash } = (await replayCall('customers')).answer
    const left = Number(credit!.credit_limit) - Number(credit!.balance) - Number(credit!.open_orders)
    expect(Number(credit!.available_credit)).to.be.closeTo(left, 0.001)
    expect(credit!.terms).to.deep.include({ days: 30, description: '30 Days' })
    expect(cash).to.include({ enabled: false, available_credit: null })
  })

  it('prices a delivery, and places an order with it', async () => {
    const { answer, asked } = await replayCall('delivered')
    const { options, draft, placed, order, cancelled } = answer
    const van = options.find(({ name }) => name === 'Van')
    expect(van).to.deep.include({ fulfillment_method: 'DELIVERY', price: '777.77', description: 'Within two days' })
    expect(van?.tax).to.include({ rate: '0.15' })
    expect(placed).to.have.nested.include({ state: 'placed', 'order.totals.shipping_total': '777.77' })
    expect(order).to.deep.include({ totals: draft.totals, delivery: draft.delivery, lines: draft.lines })
    expect(cancelled).to.have.nested.include({ 'order.status': 'CANCELLED' })
    expect(asked.filter((method) => method.startsWith('delivery.carrier/web'))).to.have.length(1)
  })

  it('places an order once, and cancels it with its deliveries first', async () => {
    const { answer, asked } = await replayCall('placed')
    const { draft, placed, again, cancelled } = answer
    expect(placed).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
    expect(placed).to.have.nested.property('order.totals').that.deep.equals(draft.totals)
    expect(again).to.deep.equal(placed)
    expect(cancelled).to.have.nested.include({ 'order.status': 'CANCELLED', 'order.cancel_reason': 'CUSTOMER_REQUEST' })
    expect(asked.filter((method) => /load|action/.test(method))).to.deep.equal([
      'res.partner/load',
      'sale.order/load',
      'ir.attachment/load',
      'sale.order/action_confirm',
      // The repetition creates nothing: the order has its external id.
      'sale.order/load',
      'ir.attachment/load',
      'stock.picking/action_cancel',
      'sale.order/action_cancel',
    ])
  })

  it('reports a missing module as not configured only before there is a sale', async () => {
    const missing = { status: 404, answer: { name: 'werkzeug.exceptions.NotFound', message: 'no such model' } }
    const failureOf = (method: string, more = {}) =>
      replayCall('placed', { [method]: missing, ...more }).catch(({ failure }: UpstreamError) => failure)
    const noSale = { 'sale.order/web_search_read': { status: 200, answer: { length: 0, records: [] } } }
    expect(await failureOf('product.product/web_search_read', noSale)).to.equal('not_configured')
    for (const method of ['sale.order/load', 'ir.attachment/load', 'sale.order/action_confirm'])
      expect(await failureOf(method), method).to.equal('error')
  })

  it('keeps an order apart from the duplicate that staff made of it and cancelled', async () => {
    const { placed, again, order, list, cancelled } = (await replayCall('duplicated')).answer
    expect(placed).to.have.nested.include({ state: 'placed', 'order.status': 'CONFIRMED' })
    expect(again).to.deep.equal(placed)
    expect({ state: 'placed', order }).to.deep.equal(placed)
    expect(list.orders.filter(({ order_number }) => order_number >= order!.order_number)).to.deep.equal([order])
    expect(cancelled).to.have.nested.include({ state: 'cancelled', 'order.order_id': order!.order_id })
  })

  it('refuses wrong totals and an order over the limit, and lists neither', async () => {
    const { wrong, over, order } = (await replayCall('refused')).answer
    expect(wrong).to.include({ state: 'refused', reason: 'TOTALS_DISAGREE' })
    expect(over).to.include({ state: 'refused', reason: 'OVER_CREDIT_LIMIT' })
    expect(order).to.equal(null)
  })

  it('reads a shipped order and its paid invoice', async () => {
    const { order, invoices } = (await replayCall('past')).answer
    expect(order).to.include({ status: 'SHIPPED', invoiced: true, reference: 'ord_demo0paid' })
    expect(order!.shipments.map(({ lines }) => lines)).to.deep.equal([[{ sku: 'PAD-001', quantity: '2' }]])
    const [invoice] = invoices.invoices
    expect(invoice).to.include({ status: 'PAID', total: '13110.00', balance: '0.00', order_reference: 'ord_demo0paid' })
    expect(invoice!.payments.map(({ amount }) => amount)).to.deep.equal(['13110.00'])
  })
})
