import { expect } from 'chai'
import { detectImageFormat } from '../../../src/media/detect-image-format.ts'
import type { InventoryItem, ItemPage } from '../../../src/ports/inventory.ts'
import type { Price } from '../../../src/ports/pricing.ts'
import { connectTrytonPorts, recordedLogin } from '../../support/tryton/connect-tryton.ts'
import { recordedFacts as at } from './calls-to-record.ts'
import { replayCall } from './replay.ts'

const bySku = (items: readonly InventoryItem[]) => Object.fromEntries(items.map((item) => [item.sku, item]))

describe('tryton: inventory', () => {
  it('reads product and stock in one call, and receipts in another one when out of stock', async () => {
    const { answer, asked: methods } = await replayCall('items')
    expect(methods.filter((method) => method.startsWith('model.product.product'))).to.have.length(1)
    expect(methods.filter((method) => method.startsWith('model.stock.move'))).to.have.length(1)
    const items = bySku(answer)
    expect(items['OFL-001']?.stock).to.deep.equal({ available: 328, expected: [] })
    expect(items['PAD-003']?.stock?.available).to.equal(0)
    expect(items['PAD-003']?.stock?.expected.map(({ quantity }) => quantity)).to.deep.equal([40, 60])
    expect(items['PAD-004']?.stock?.expected.map(({ quantity }) => quantity)).to.deep.equal([36])
  })

  it('maps a complete product', async () => {
    const { product } = bySku((await replayCall('items')).answer)['OFL-001']!
    expect(product).to.deep.include({
      sku: 'OFL-001',
      name: 'Oil Filter Corolla',
      slug: 'oil-filter-corolla-ofl-001',
      description: 'Fits the Corolla and its sisters.',
      brand: 'Bosch',
      mpn: 'M-15838',
      tags: [],
      uom: 'u',
      active: true,
    })
    expect(product?.order_uoms).to.deep.equal([
      { uom: 'u', factor: '1', min: '1', increment: '1' },
      { uom: 'box', factor: '12', min: '1', increment: '1' },
    ])
    expect(product?.categories.map(({ slug }) => slug)).to.deep.equal(['oil-filters'])
  })

  it('lists pictures by name, the variant’s among the template’s, and returns the original of each URL', async () => {
    const { answer, asked } = await replayCall('pictures')
    const media = new Map(answer.media)
    expect(media.get('PAD-001')?.map(({ alt, position }) => [alt, position])).to.deep.equal([
      ['Brake pads from the front', 1],
      [null, 2],
    ])
    expect(['OFL-001', 'BAT-001', 'CLT-001'].map((sku) => media.get(sku)?.length)).to.deep.equal([1, 1, 0])
    const versions = [...media.values()].flatMap((pictures) =>
      pictures!.map(({ large_url }) => decodeURIComponent(large_url.split('/').at(-2)!)),
    )
    expect(answer.originals.map((picture) => picture?.version)).to.deep.equal(versions)
    const kinds = answer.originals.map((picture) =>
      picture && 'bytes' in picture ? detectImageFormat(picture.bytes) : picture?.url,
    )
    expect(kinds.toSorted()).to.deep.equal(['https://cdn.merchant.example/parts/bat-001.webp', 'jpeg', 'png', 'png'])
    expect(asked.filter((method) => method === 'model.ir.attachment.search_read')).to.have.length(5)
  })

  it('represents a SKU with several records by the active one, then the oldest', async () => {
    const { answer } = await replayCall('items')
    const items = bySku(answer)
    expect(items['DUP-001']?.product).to.include({ name: 'Doubled: the older record', active: false })
    expect(items['DUP-002']?.product).to.include({ name: 'Replaced: the record in use', active: true })
    expect(answer.filter(({ sku }) => sku.startsWith('DUP'))).to.have.length(2)
  })

  it('returns an inactive product as such, and leaves out unknown ones and those not for sale', async () => {
    const items = bySku((await replayCall('items')).answer)
    expect(items['OLD-001']?.product?.active).to.equal(false)
    expect(items).to.not.have.any.keys('INT-001', 'NONE')
  })

  it('pages by SKU', async () => {
    const { answer } = await replayCall('page')
    expect(answer.items.map(({ sku }) => sku)).to.deep.equal(['AFL-002', 'AFL-003', 'AFL-004'])
    expect([answer.total, answer.has_more]).to.deep.equal([43, true])
  })

  it('treats SQL wildcards in a word as plain characters', async () => {
    expect(skus((await replayCall('words')).answer)).to.deep.equal(['50%_X\\Y/#1'])
  })

  it('filters by category and tag together', async () => {
    expect(skus((await replayCall('filters')).answer)).to.deep.equal(['BLB-001'])
  })

  it('includes inactive products in the changes', async () => {
    const { answer } = await replayCall('changes')
    expect(answer.total).to.equal(46)
    expect(answer.has_more).to.equal(false)
    const states = answer.items.map(({ sku, product }) => [sku, product?.active])
    expect(states).to.deep.include(['OLD-001', false]).and.deep.include(['INT-001', false])
  })

  it('returns the category tree without its root, with counts and unique slugs', async () => {
    const { categories, tags } = (await replayCall('categories')).answer
    expect(categories.filter(({ parent_id }) => parent_id === null).map(({ slug }) => slug)).to.deep.equal([
      'accessories-care',
      'brakes',
      'electrical',
      'filters',
      'fluids',
    ])
    expect(
      categories.filter(({ name }) => name === 'Bulbs').map(({ slug, product_count }) => [slug, product_count]),
    ).to.deep.equal([
      ['accessories-care-bulbs', 0],
      ['bulbs', 3],
    ])
    expect(tags.map(({ tag, count }) => [tag, count])).to.deep.equal([
      ['bestseller', 4],
      ['clearance', 2],
      ['heavy-duty', 3],
    ])
  })

  it('does not support vehicles', async () => {
    const ports = connectTrytonPorts({ address: 'http://127.0.0.1:9', ...recordedLogin })
    const asked = { signal: new AbortController().signal, timeoutMs: () => 1, requestId: 'test' }
    const outcome = ports.inventory.search(
      { limit: 1, offset: 0, vehicle_id: 1 },
      { product: true, stock: true },
      asked,
    )
    expect(await outcome.catch((error) => error.failure)).to.equal('not_configured')
    expect(ports.inventory).to.not.have.any.keys('vehicleFacet', 'vehicleItems', 'fitments')
  })
})

describe('tryton: pricing', () => {
  it('returns list prices', async () => {
    const { answer } = await replayCall('list-prices')
    expect(prices(answer)).to.deep.equal({ 'OFL-001': '1100.25', 'OIL-002': '1300.1234', 'DUP-001': '111.00' })
    for (const price of answer) {
      expect(price).to.deep.include({
        price_type: 'LIST',
        breaks: [],
        as_of: '2026-11-21T12:00:00.000Z',
        tax_included: false,
      })
    }
  })

  it("writes them with the digits of the merchant's currency", async () => {
    const { answer } = await replayCall('list-prices', { ...at, currency: 'KWD' })
    expect(prices(answer)).to.deep.equal({ 'OFL-001': '1100.250', 'OIL-002': '1300.1234', 'DUP-001': '111.000' })
  })

  it("returns a customer's prices with their breaks", async () => {
    const { answer } = await replayCall('contract-prices')
    expect(prices(answer)).to.deep.equal({
      'OFL-001': '990.225',
      'BAT-001': '15250.50',
      'AFL-001': '1890.00',
      'OIL-002': '1235.1172',
    })
    expect(Object.fromEntries(answer.map(({ sku, breaks }) => [sku, breaks]))).to.deep.equal({
      'OFL-001': [
        { min_quantity: '12', amount: '880.20' },
        { min_quantity: '48', amount: '825.1875' },
      ],
      'BAT-001': [{ min_quantity: '10', amount: '14000.00' }],
      'AFL-001': [],
      'OIL-002': [],
    })
    expect(answer[0]).to.include({ price_type: 'CONTRACT', list_amount: '1100.25' })
  })

  it('returns list prices for a customer without a price list', async () => {
    expect((await replayCall('no-contract')).answer[0]).to.include({ price_type: 'LIST', amount: '1100.25' })
  })

  it('rejects an unknown customer', async () => {
    expect((await replayCall('unknown-customer')).answer).to.include({ failure: 'rejected' })
  })
})

describe('tryton: accounting', () => {
  it('returns the taxes of the accounting category', async () => {
    const { answer } = await replayCall('taxes')
    expect(answer).to.deep.equal([
      { sku: 'OFL-001', code: 'GCT', name: 'General Consumption Tax 15%', rate: '0.15' },
      { sku: 'MAP-001', code: 'NONE', name: 'No tax', rate: '0' },
    ])
  })

  it("applies a customer's tax rule", async () => {
    expect((await replayCall('exempt')).answer.map(({ rate }) => rate)).to.deep.equal(['0'])
  })
})

const skus = (page: ItemPage) => page.items.map(({ sku }) => sku)
const prices = (rows: readonly Price[]) => Object.fromEntries(rows.map(({ sku, amount }) => [sku, amount]))
