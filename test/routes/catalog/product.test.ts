import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

const at = (sku: string) => `/v1/products/${encodeURIComponent(sku)}`

describeWithAndWithoutMirror('GET /v1/products/:sku', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = async (sku: string) => (await api.request(at(sku), { key })).body

  it('returns a product with all its sections', async () => {
    const media = `${api.systems.inventory.address}/media`
    const { price, updated_at, ...rest } = await read(knownSkus.inStock)
    const picture = { kind: 'IMAGE', width: 800, height: 800 }
    const pads = (n: number) => ({
      thumb_url: `${media}/pads-${n}-thumb.webp`,
      large_url: `${media}/pads-${n}-large.webp`,
    })
    const name = 'Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty'
    const cover = { media_id: 'm10001-1', position: 1, alt: name, ...picture, ...pads(1) }
    expect(rest).to.deep.equal({
      sku: 'BP-1001',
      name,
      slug: 'front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001',
      description:
        'Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.',
      brand: 'Orizon Parts',
      mpn: 'OZ55692',
      barcode: '2039253922140',
      tax: { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' },
      availability: { band: 'IN_STOCK', eta: null, orderable: true },
      cover,
      media: [cover, { media_id: 'm10001-2', position: 2, alt: null, ...picture, ...pads(2) }],
      categories: [{ category_id: '101010', name: 'Brake Pads', slug: 'brake-pads' }],
      tags: ['heavy-duty', 'new', 'safety', 'service-part'],
      variant_of: null,
      options: [],
      uom: 'set',
      active: true,
      order_uoms: [{ uom: 'set', factor: '1', min: '1', increment: '1' }],
      references: [],
      supersedes: [],
      superseded_by: null,
      alternatives: [],
      errors: [],
    })
    const { as_of, ...money } = price
    expect(money).to.deep.equal({
      amount: '6188.00',
      currency: 'JMD',
      price_type: 'LIST',
      list_amount: '6188.00',
      tax_included: false,
      uom: 'set',
      breaks: [],
    })
    // A mirror has read it before the first of these tests.
    expect(Date.parse(as_of)).to.be.within(Date.now() - 3_600_000, Date.now())
    expect(Date.parse(updated_at)).to.be.below(Date.now())
  })

  it('says what a variant is a variant of, and what distinguishes it', async () => {
    const { variant_of, options } = await read(knownSkus.variants[0])
    expect(variant_of).to.deep.equal({ parent_id: 'coolant-ferrantis', name: 'Coolant Concentrate' })
    expect(options).to.deep.equal([
      { name: 'Size', value: 'Small' },
      { name: 'Grade', value: 'Heavy Duty' },
    ])
  })

  it('serves the pictures of its media', async () => {
    const { cover } = await read(knownSkus.inStock)
    for (const url of [cover.thumb_url, cover.large_url]) {
      const picture = Buffer.from(await (await fetch(url)).arrayBuffer())
      expect(picture.subarray(8, 12).toString()).to.equal('WEBP')
    }
  })

  it('has a null cover and no media where there are no pictures', async () => {
    expect(await read(knownSkus.noPictures))
      .to.include({ cover: null })
      .and.deep.include({ media: [], errors: [] })
  })

  it('keeps the decimals of a unit price, and its quantity breaks', async () => {
    const { amount, breaks } = (await read(knownSkus.finePrice)).price
    expect({ amount, breaks }).to.deep.equal({
      amount: '12.3475',
      breaks: [{ min_quantity: '1000', amount: '9.875' }],
    })
    expect((await read(knownSkus.quantityBreaks)).price.breaks).to.deep.equal([
      { min_quantity: '10', amount: '1090.00' },
      { min_quantity: '50', amount: '995.50' },
    ])
  })

  it('has a null price where the back office has none, and never zero', async () => {
    expect(await read(knownSkus.unpriced))
      .to.include({ price: null })
      .and.deep.include({ errors: [] })
  })

  for (const [sku, availability] of Object.entries({
    [knownSkus.low]: { band: 'LOW', eta: null, orderable: true },
    [knownSkus.out]: { band: 'OUT', eta: null, orderable: false },
    [knownSkus.overdue]: { band: 'OUT', eta: null, orderable: false },
    [knownSkus.noStockRecord]: null,
  })) {
    it(`contains the availability of ${sku}`, async () => {
      expect((await read(sku)).availability).to.deep.equal(availability)
    })
  }

  for (const sku of knownSkus.awkward) {
    it(`finds ${sku} by its encoded path`, async () => {
      expect((await read(sku)).sku).to.equal(sku)
    })
  }

  it('keeps a plus in a path', async () => {
    expect((await api.request('/v1/products/WB%2022%2F24+S', { key })).body.sku).to.equal('WB 22/24+S')
  })

  for (const path of [
    'NOPE-1',
    knownSkus.deactivated,
    'bp-1001',
    '%00',
    '%F0%9F%94%A7',
    '..%2Fcategories',
    '%ZZ',
    'a'.repeat(4_000),
  ]) {
    it(`is 404 for ${path.slice(0, 20)}`, async () => {
      const { status, body } = await api.request(`/v1/products/${path}`, { key })
      const { request_id, ...problem } = body
      expect(status).to.equal(404)
      expect(problem).to.deep.equal({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail:
          'There is no such product. Send a sku (not a slug or a name) as GET /v1/products lists it, in the same letter case. To search: GET /v1/products?q={text}.',
        code: 'not_found',
      })
    })
  }

  it('responds to HEAD as to GET, without a body', async () => {
    const got = await api.request(at('BP-1002'), { key })
    const headed = await api.request(at('BP-1002'), { key, method: 'HEAD' })
    expect([headed.status, headed.headers['content-length'], headed.headers.etag]).to.deep.equal([
      200,
      String(got.bytes.byteLength),
      got.headers.etag,
    ])
    expect((await api.request(at('NOPE-1'), { key, method: 'HEAD' })).status).to.equal(404)
  })

  it('separates merchants and modes with the same SKU', async () => {
    const owners = [
      { merchant: 'acme', mode: 'sandbox', account: 'acme', amount: '1.01' },
      { merchant: 'acme', mode: 'live', account: 'acme-live', amount: '1.02' },
      { merchant: 'zenith', mode: 'sandbox', account: 'zenith', amount: '1.03' },
      { merchant: 'zenith', mode: 'live', account: 'zenith-live', amount: '1.04' },
    ] as const
    const sku = 'BP-1030'
    for (const { merchant, mode, account, amount } of owners) {
      await setPrice(api.systems.pricing.controlAddress, account, sku, amount)
      await updateProduct(api.systems.inventory.controlAddress, account, sku, { name: account, active: true })
      await api.fillMirror({ tenant: { merchant, mode }, skus: [sku] })
    }
    for (const pass of [1, 2]) {
      const read = owners.map(async ({ merchant, mode, account, amount }) => {
        const { body } = await api.request(at(sku), { key: await api.key({ merchant, mode }) })
        expect([body.name, body.price.amount], `${account}, pass ${pass}`).to.deep.equal([account, amount])
      })
      await Promise.all(read)
    }
  })
})
