import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { pictureUrls } from '../../support/fake-picture-urls.ts'
import { BOTH_ITEM_PARTS } from '../conformance/both-item-parts.ts'
import type { Ports } from '../conformance/subject.ts'
import { connectPorts, disconnectAll } from './ports.ts'

const NOT_FOUND = { error: 'not_found', detail: 'the SKU does not exist' }

describe('rest: responses of a system', () => {
  let answer: { status: number; body: unknown; tag?: string }
  let sent: { url: string | undefined; token: string | undefined; waits: string | undefined }
  const server = createServer((request, response) => {
    const { authorization: token, 'x-request-timeout-ms': waits } = request.headers
    sent = { url: request.url, token, waits: waits as string }
    const tag = answer.tag ? { etag: answer.tag } : {}
    response.writeHead(answer.status, { 'content-type': 'application/json', ...tag })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
  let one: Required<Ports>

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    one = connectPorts(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`)
  })

  after(async () => {
    await disconnectAll()
    server.close()
  })

  const bare = { name: 'Pads', uom: 'each', active: true, updated_at: '2026-03-01T10:00:00-05:00' }

  it('names no deliveries where the system does not have the operation, and leaves invalid ones out', async () => {
    const query = {
      customerId: 'C-1',
      lines: [{ sku: 'A 1', quantity: '1' }],
      goods_total: '9.00',
      tax_included: true,
      shipping_address: null,
    }
    const read = () => one.accounting.deliveryOptions!(query, createCall())
    answer = { status: 404, body: { error: 'not_offered', detail: 'this system has no deliveries' } }
    expect(await read()).to.deep.equal([])
    const van = { delivery_option_id: 'VAN', name: 'Van', fulfillment_method: 'DELIVERY', price: '3' }
    const tax = { code: 'GCT', rate: '0.150' }
    const unpriced = { ...van, tax, price: null }
    answer = { status: 200, body: { data: [unpriced, { ...van, tax }, { ...van, fulfillment_method: 'DRONE', tax }] } }
    expect(await read()).to.deep.equal([
      { ...van, price: '3.00', description: null, tax: { ...tax, name: 'GCT', rate: '0.15' }, pickup_places: [] },
    ])
    expect(sent.url).to.equal('/api/delivery-options')
    answer = { status: 404, body: '<html>' }
    expect(await failureOf(read())).to.include({ failure: 'invalid' })
  })

  it('may say what a product is a variant of, with the options that distinguish it', async () => {
    const variant_of = { parent_id: 'pads', name: 'Pads', note: 'internal' }
    const options = [{ name: 'Size', value: 'Large', code: 7 }]
    const read = async (members: object) => {
      answer = { status: 200, body: { data: [{ sku: 'A', product: { ...bare, ...members } }] } }
      return (await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall()))[0]?.product
    }
    expect(await read({ variant_of, options })).to.deep.include({
      variant_of: { parent_id: 'pads', name: 'Pads' },
      options: [{ name: 'Size', value: 'Large' }],
    })
    for (const incomplete of [{ variant_of }, { variant_of, options: [] }, { options }])
      expect(await read(incomplete)).to.not.have.any.keys('variant_of', 'options')
  })

  it('may omit optional members', async () => {
    answer = { status: 200, body: { data: [{ sku: 'A 1', product: bare }] } }
    expect(await one.inventory.items(['A 1'], BOTH_ITEM_PARTS, createCall())).to.deep.equal([
      {
        sku: 'A 1',
        product: {
          sku: 'A 1',
          name: 'Pads',
          slug: 'A 1',
          description: null,
          brand: null,
          mpn: null,
          barcode: null,
          media: null,
          categories: [],
          tags: [],
          uom: 'each',
          order_uoms: [],
          active: true,
          updated_at: '2026-03-01T15:00:00.000Z',
        },
        stock: null,
      },
    ])
    expect(sent).to.deep.equal({ url: '/api/products/lookup', token: 'Bearer sandbox', waits: '30000' })
  })

  it('may contain extra members, which are dropped', async () => {
    const media = [
      { media_id: 'm', thumb_url: 'javascript:alert(1)', large_url: 'https://a.example/l.webp' },
      { media_id: 'n', thumb_url: 'https://a.example/t.webp', large_url: 'https://a.example/l.webp', secret: 1 },
    ]
    const product = {
      ...bare,
      cost: '3.00',
      media,
      categories: [{ category_id: 'c', name: 'C', slug: 'c', margin: 9 }],
    }
    const stock = {
      ...{ available: 3, expected: [{ date: '2026-03-09', quantity: 2, supplier: 'x' }], on_hand: 5 },
      ...{ untracked: null, sell_when_out: false, expected_on: '2026-03-20' },
      branches: [{ branch_id: 'b1', name: 'Half Way Tree', available: 3, shelf: 'C-4' }],
    }
    answer = {
      status: 200,
      body: {
        data: [
          { sku: 'A', product, stock, shelf: 9 },
          { sku: 'B', stock },
          { sku: 'A', stock },
        ],
      },
    }
    const items = await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall())
    expect(items).to.have.lengthOf(1)
    expect(items[0]?.stock).to.deep.equal({
      ...{ available: 3, expected: [{ date: '2026-03-09', quantity: 2 }] },
      ...{ sell_when_out: false, expected_on: '2026-03-20' },
      branches: [{ branch_id: 'b1', name: 'Half Way Tree', available: 3 }],
    })
    expect(items[0]?.product?.media?.map(({ media_id }) => media_id)).to.deep.equal(['n'])
    expect(JSON.stringify(items)).to.not.match(/cost|secret|margin|supplier|on_hand|shelf/)
  })

  it('may reference private pictures, which Forecourt fetches and publishes', async () => {
    const media = [
      { media_id: 'a/1', content_id: 'v1', alt: 'Front' },
      { media_id: '..', content_id: 'v1' },
      { media_id: 'half \ud800', content_id: 'v1' },
      { media_id: 'b', content_id: 'v"1' },
      { media_id: 'c', content_id: '', thumb_url: null, large_url: null },
      { media_id: 'd' },
    ]
    answer = { status: 200, body: { data: [{ sku: 'A', product: { ...bare, media: media.slice(0, 3) } }] } }
    const [item] = await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall())
    expect(item?.product?.media).to.deep.equal([
      {
        media_id: 'a/1',
        position: 1,
        alt: 'Front',
        kind: 'IMAGE',
        width: null,
        height: null,
        ...pictureUrls({ source: 'a/1', version: 'v1' }),
      },
    ])
    answer = { status: 200, body: { data: [{ sku: 'A', product: { ...bare, media: [media[5]] } }] } }
    expect((await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall()))[0]?.product?.media).to.deep.equal([])
    for (const broken of media.slice(3, 5)) {
      answer = { status: 200, body: { data: [{ sku: 'A', product: { ...bare, media: [broken] } }] } }
      expect((await failureOf(one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall()))).failure).to.equal('invalid')
    }
  })

  it('must contain an ETag with an original', async () => {
    answer = { status: 200, body: 'JPEG', tag: 'W/"v1"' }
    const picture = await one.inventory.picture!('a/1', createCall())
    expect(picture).to.deep.equal({ version: 'v1', bytes: Buffer.from('JPEG') })
    expect(sent).to.include({ url: '/api/media/a%2F1/content', token: 'Bearer sandbox' })
    answer = { status: 404, body: NOT_FOUND }
    expect(await one.inventory.picture!('a/1', createCall())).to.equal(null)
    expect(await one.inventory.picture!('..', createCall())).to.equal(null)
    answer = { status: 200, body: 'JPEG' }
    expect((await failureOf(one.inventory.picture!('a/1', createCall()))).failure).to.equal('invalid')
  })

  it('may ignore the limit without overlapping pages', async () => {
    answer = { status: 200, body: { data: ['A', 'B', 'C'].map((sku) => ({ sku, product: bare })), has_more: false } }
    const page = await one.inventory.search(
      { q: 'a&b=c', limit: 2, offset: 0 },
      { product: true, stock: false },
      createCall(),
    )
    expect([page.items.map(({ sku }) => sku), page.total, page.has_more]).to.deep.equal([['A', 'B'], null, true])
    expect(sent.url).to.equal('/api/products?q=a%26b%3Dc&limit=2&offset=0&include=product')
  })

  it('fail the call when they are invalid', async () => {
    const price = {
      sku: 'A',
      price_type: 'LIST',
      list_amount: '1.00',
      tax_included: false,
      uom: 'each',
      as_of: '2026-03-01T00:00:00Z',
    }
    const wrong: [unknown, string][] = [
      ['<html>', 'not JSON'],
      [{ data: [{ ...price, amount: 1.5 }] }, 'a number for an amount'],
      [{ data: [{ ...price, amount: '-1.00' }] }, 'a negative amount'],
      [{ data: [{ ...price, amount: '1.00', as_of: 'now' }] }, 'a moment that is none'],
      [{}, 'no rows'],
    ]
    for (const [body, what] of wrong) {
      answer = { status: 200, body }
      expect((await failureOf(one.pricing.prices(['A'], null, createCall()))).failure, what).to.equal('invalid')
      expect(
        (await failureOf(one.inventory.fitments!('A', { limit: 1, offset: 0 }, createCall()))).failure,
        what,
      ).to.equal('invalid')
    }
  })

  it('fail the call when they are errors', async () => {
    for (const [status, failure] of [
      [400, 'rejected'],
      [401, 'unauthorized'],
      [429, 'rate_limited'],
      [500, 'error'],
    ] as const) {
      answer = { status, body: { error: 'x', detail: 'y' } }
      expect((await failureOf(one.pricing.prices(['A'], null, createCall()))).failure, `${status}`).to.equal(failure)
      expect(
        (await failureOf(one.inventory.fitments!('A', { limit: 1, offset: 0 }, createCall()))).failure,
        `${status}`,
      ).to.equal(failure)
    }
  })

  it('say that a thing does not exist with the not-found of the protocol: any other 404 is invalid', async () => {
    const order = { order_id: 'O-1' }
    const page = { limit: 1, offset: 0 }
    const { inventory, pricing, accounting } = one
    const things: (() => Promise<unknown>)[] = [
      () => inventory.fitments!('A', page, createCall()),
      () => inventory.vehicleItems!(1, page, BOTH_ITEM_PARTS, createCall()).then(({ vehicle }) => vehicle),
      () => inventory.picture!('m', createCall()),
      () => accounting.customer!('C-1', createCall()),
      () => accounting.findCustomer!('ann@example.com', createCall()),
      () => accounting.credit!('C-1', createCall()),
      () => accounting.order!('C-1', order, createCall()),
      () => accounting.cancelOrder!('C-1', order, { reason: 'OTHER', note: null }, createCall()),
      () => accounting.payment!('C-1', order, createCall()),
      () => accounting.invoice!('C-1', 'I-1', createCall()),
    ]
    const lists: (() => Promise<unknown>)[] = [
      () => inventory.search(page, BOTH_ITEM_PARTS, createCall()),
      () => inventory.items(['A'], BOTH_ITEM_PARTS, createCall()),
      () => inventory.categories(createCall()),
      () => pricing.prices(['A'], 'C-1', createCall()),
      () => accounting.orders!('C-1', page, createCall()),
    ]
    const optional: (() => Promise<unknown>)[] = [
      () => inventory.search({ ...page, skus: ['A'] }, BOTH_ITEM_PARTS, createCall()),
      () => inventory.stockChanges!({ ...page, since: '2026-03-01T00:00:00Z' }, createCall()),
    ]
    const outcome = (read: () => Promise<unknown>) =>
      read().then(
        (value) => value,
        (error: { failure: string }) => error.failure,
      )
    const outcomes = (reads: (() => Promise<unknown>)[]) =>
      Promise.all(reads.map(outcome)).then((found) => [...new Set(found)])
    answer = { status: 404, body: NOT_FOUND }
    expect(await outcomes(things)).to.deep.equal([null])
    expect(await outcomes(lists)).to.deep.equal(['rejected'])
    expect(await outcomes(optional)).to.deep.equal(['not_configured'])
    answer = { status: 404, body: { error: 'not_offered', detail: 'this system does not have the operation' } }
    expect(await outcomes([...things, ...lists])).to.deep.equal(['invalid'])
    expect(await outcomes(optional)).to.deep.equal(['not_configured'])
    const foreign: [number, unknown][] = [
      [404, '<html><h1>404 Not Found</h1><hr>nginx</html>'],
      [404, ''],
      [404, 'null'],
      [404, { detail: 'Not Found' }],
      [404, { timestamp: 1, status: 404, error: 'Not Found', path: '/api/x' }],
      [404, { message: 'no Route matched with those values' }],
      [405, '<html>405 Not Allowed</html>'],
    ]
    for (const [status, body] of foreign) {
      answer = { status, body }
      expect(await outcomes([...things, ...lists, ...optional]), JSON.stringify(body)).to.deep.equal(['invalid'])
    }
  })

  it('must match the order or invoice that was requested, and its customer', async () => {
    const owner = { order_id: 'O-1', reference: 'ord_1', customer_id: 'C-1' }
    const at = '2026-03-01T00:00:00Z'
    const payment = { ...owner, status: 'PAID', amount_due: '9.00', amount_paid: '9.00', updated_at: at }
    const order = {
      ...owner,
      ...{ order_number: '1', currency: 'JMD', status: 'CONFIRMED', payment_status: 'PAID', invoiced: false },
      ...{ payment_method: 'CREDIT_TERMS', lines: [], placed_at: at, updated_at: at },
      totals: { subtotal: '9', tax_total: '0', total: '9', tax_included: false },
    }
    const invoice = {
      ...{ invoice_id: 'I-1', invoice_number: '1', customer_id: 'C-1', status: 'OPEN', currency: 'JMD', lines: [] },
      ...{ issued_at: at, due_date: '2026-03-01', subtotal: '9', tax_total: '0', total: '9', amount_paid: '0' },
      balance: '9',
    }
    const cancelled = { state: 'cancelled', order }
    const { accounting } = one
    const reason = { reason: 'OTHER', note: null }
    const reads: [object, read: (customer: string, id: string) => Promise<unknown>][] = [
      [payment, (customer, order_id) => accounting.payment!(customer, { order_id }, createCall())],
      [payment, (customer, id) => accounting.payment!(customer, { reference: `ord_${id.slice(2)}` }, createCall())],
      [order, (customer, order_id) => accounting.order!(customer, { order_id }, createCall())],
      [order, (customer, id) => accounting.order!(customer, { reference: `ord_${id.slice(2)}` }, createCall())],
      [cancelled, (customer, order_id) => accounting.cancelOrder!(customer, { order_id }, reason, createCall())],
      [invoice, (customer, id) => accounting.invoice!(customer, id.replace('O', 'I'), createCall())],
    ]
    for (const [index, [body, read]] of reads.entries()) {
      answer = { status: 200, body }
      expect(await read('C-1', 'O-1'), `${index}`).to.be.an('object')
      expect((await failureOf(read('C-1', 'O-2'))).failure, `${index}`).to.equal('invalid')
      expect(await read('C-2', 'O-1'), `${index}`).to.equal(null)
    }
    const { customer_id: _, ...unowned } = payment
    answer = { status: 200, body: unowned }
    expect((await failureOf(accounting.payment!('C-1', { order_id: 'O-1' }, createCall()))).failure).to.equal('invalid')
  })

  it('are left out of a list when no later read could name them', async () => {
    const at = '2026-03-01T00:00:00Z'
    const order = {
      ...{ order_number: '1', customer_id: 'C-1', currency: 'JMD', status: 'CONFIRMED', payment_status: 'PAID' },
      ...{ payment_method: 'CREDIT_TERMS', lines: [], placed_at: at, updated_at: at, invoiced: false },
      totals: { subtotal: '9', tax_total: '0', total: '9', tax_included: false },
    }
    const data = ['..', '.', 'x'.repeat(129), 'a/1'].map((order_id) => ({ ...order, order_id }))
    answer = { status: 200, body: { data, total: 4, has_more: false } }
    const { orders } = await one.accounting.orders!('C-1', { limit: 10, offset: 0 }, createCall())
    expect(orders.map(({ order_id }) => order_id)).to.deep.equal(['a/1'])
  })

  it('link to normalized URLs only', async () => {
    const media = [
      ['http://a.example/"onerror=x', 'https://a.example/l.webp?q="<b>'],
      ['http://a"onerror=x/', 'https://a.example/l.webp'],
      ['https://user:secret@a.example/', 'https://a.example/l.webp'],
      ['https:a.example', 'https://a.example/l.webp'],
    ].map(([thumb_url, large_url], position) => ({ media_id: `m${position}`, thumb_url, large_url }))
    answer = { status: 200, body: { data: [{ sku: 'A', product: { ...bare, media } }] } }
    const [item] = await one.inventory.items(['A'], BOTH_ITEM_PARTS, createCall())
    expect(item?.product?.media?.map(({ thumb_url, large_url }) => [thumb_url, large_url])).to.deep.equal([
      ['http://a.example/%22onerror=x', 'https://a.example/l.webp?q=%22%3Cb%3E'],
    ])
  })

  it('must match the customer and the currency', async () => {
    const customer = {
      customer_id: 'C-1',
      email: 'ann@example.com',
      customer_type: 'BUSINESS',
      status: 'ACTIVE',
      payment_methods: ['CREDIT_TERMS', 'BARTER'],
    }
    const credit = { enabled: true, on_hold: false, balance: '5', as_of: '2026-03-01T00:00:00Z' }
    const invalid = async (body: unknown, readPage: () => Promise<unknown>) => {
      answer = { status: 200, body }
      expect((await failureOf(readPage())).failure, JSON.stringify(body)).to.equal('invalid')
    }
    answer = { status: 200, body: customer }
    expect(await one.accounting.customer!('C-1', createCall())).to.include({ customer_id: 'C-1', company: null })
    await invalid(customer, () => one.accounting.customer!('C-2', createCall()))
    for (const wrong of [{ customer_id: 'x'.repeat(129) }, { customer_id: 7 }, { email: null }, { status: 'OPEN' }])
      await invalid({ ...customer, ...wrong }, () => one.accounting.findCustomer!('ann@example.com', createCall()))
    for (const body of [credit, { ...credit, customer_id: 'C-1', currency: 'JMD' }]) {
      answer = { status: 200, body }
      expect(await one.accounting.credit!('C-1', createCall())).to.include({ customer_id: 'C-1', balance: '5.00' })
    }
    for (const wrong of [{ customer_id: 'C-2' }, { currency: 'USD' }, { balance: 5 }, { balance: '1e9' }])
      await invalid({ ...credit, ...wrong }, () => one.accounting.credit!('C-1', createCall()))
  })
})
