import { expect } from 'chai'
import type { Api, Reply } from './api.ts'

/** Products that a back office is known to have. */
export interface KnownProducts {
  inStock: string
  low: string
  out: string
  leadTime: string
  overdue: string
  withdrawn: string
  /** A SKU with characters that a URL must escape. */
  escaped: string
  taxExempt: string
  /** The slug of a category with subcategories, and SKUs in these. */
  category: { slug: string; below: string[] }
  tag: { tag: string; of: string }
  /** Words of a name in another order and case, and the SKU that they find. */
  words: { q: string; find: string }
  /** A customer, and a SKU whose contract price is below its list price and falls with the quantity. */
  contract: { customer: string; sku: string }
  /** Without vehicles, they are `not_configured`. */
  vehicles: boolean
}

export interface CatalogUnderTest {
  api: Api
  merchant: string
  products: KnownProducts
  /** The catalog is read from a mirror. */
  isMirrored?: boolean
}

/** Tests what storefronts rely on when they read a catalog, over any back office. */
export function describeCatalogReads(name: string, open: () => Promise<CatalogUnderTest>): void {
  describe(`a storefront reads the catalog of ${name}`, () => {
    let catalog: CatalogUnderTest
    let products: KnownProducts
    let publishable: string
    let secret: string
    const get = (path: string, headers = {}): Promise<Reply> => catalog.api.request(path, { key: publishable, headers })
    const product = (sku: string, headers = {}) => get(`/v1/products/${encodeURIComponent(sku)}`, headers)
    const skusOf = (reply: Reply): string[] => reply.body.data.map((row: { sku: string }) => row.sku)

    before(async () => {
      catalog = await open()
      products = catalog.products
      publishable = await catalog.api.key({ merchant: catalog.merchant })
      secret = await catalog.api.key({ merchant: catalog.merchant, kind: 'secret' })
    })
    after(() => catalog?.api[Symbol.asyncDispose]())

    it('pages without a gap or a repeat, and counts all', async () => {
      const whole = skusOf(await get('/v1/products?limit=30'))
      const parts: string[] = []
      for (const offset of [0, 10, 20]) parts.push(...skusOf(await get(`/v1/products?limit=10&offset=${offset}`)))
      expect(parts).to.deep.equal(whole)
      expect(new Set(whole)).to.have.lengthOf(30)
      const { total } = (await get('/v1/products?limit=1')).body.pagination
      const past = await get(`/v1/products?offset=${total}`)
      expect(past.body).to.deep.include({ data: [] })
      expect(past.body.pagination).to.include({ total, has_more: false, next_offset: null })
    })

    it('shows a product with its list price, tax and band', async () => {
      const { status, body } = await product(products.inStock)
      expect(status).to.equal(200)
      expect(body).to.deep.include({
        sku: products.inStock,
        active: true,
        availability: { band: 'IN_STOCK', eta: null, orderable: true },
      })
      expect(body.price).to.include({ price_type: 'LIST', currency: 'JMD', amount: body.price.list_amount })
      expect(body.tax.rate).to.equal('0.15')
      expect((await product(products.taxExempt)).body.tax.rate).to.equal('0')
    })

    it('finds a product whose SKU must be escaped', async () => {
      expect((await product(products.escaped)).body.sku).to.equal(products.escaped)
      expect(skusOf(await get(`/v1/products?q=${encodeURIComponent(products.escaped)}`))).to.include(products.escaped)
    })

    it('does not know a withdrawn or an absent product', async () => {
      expect((await product(products.withdrawn)).status).to.equal(404)
      expect((await product('no-such-sku')).status).to.equal(404)
    })

    it('tells each band, and a day to come with a lead time alone', async () => {
      const skus = [
        products.inStock,
        products.low,
        products.out,
        products.leadTime,
        products.overdue,
        'no-such-sku',
        products.inStock,
      ]
      const { body } = await catalog.api.request('/v1/availability/batch', { key: publishable, body: { skus } })
      expect(body.data.map((row: { band: string }) => row.band)).to.deep.equal([
        'IN_STOCK',
        'LOW',
        'OUT',
        'LEAD_TIME',
        'OUT',
      ])
      expect(body.unknown_skus).to.deep.equal(['no-such-sku'])
      const single = (await get(`/v1/products/${products.leadTime}/availability`)).body
      expect(single.lead_time_days).to.be.above(0)
      expect(Date.parse(single.eta)).to.be.above(Date.now() - 86_400_000)
    })

    it('filters by a category with its descendants, by tag, and by words', async () => {
      const below = skusOf(await get(`/v1/products?category=${products.category.slug}&limit=200`))
      expect(below).to.include.members(products.category.below)
      expect(skusOf(await get(`/v1/products?tag=${encodeURIComponent(products.tag.tag)}&limit=200`))).to.include(
        products.tag.of,
      )
      expect(skusOf(await get(`/v1/products?q=${encodeURIComponent(products.words.q)}`))).to.include(
        products.words.find,
      )
      const both = skusOf(await get(`/v1/products?category=${products.category.slug}&q=${products.category.below[0]}`))
      expect(both).to.include(products.category.below[0])
      expect(both.every((sku) => below.includes(sku))).to.equal(true)
      for (const none of ['category=no-such', 'tag=no-such', 'q=no-such-word-anywhere']) {
        expect((await get(`/v1/products?${none}`)).body).to.deep.include({ data: [], errors: [] }, none)
      }
    })

    it('shows the tree that its filters take, and the tags', async () => {
      const slugs: string[] = []
      const walk = (nodes: { slug: string; children: [] }[]) =>
        nodes.forEach((node) => {
          slugs.push(node.slug)
          walk(node.children)
        })
      walk((await get('/v1/categories')).body.data)
      expect(slugs).to.include(products.category.slug)
      expect(new Set(slugs)).to.have.lengthOf(slugs.length)
      const tags = (await get('/v1/tags')).body.data.map((row: { tag: string }) => row.tag)
      expect(tags).to.include(products.tag.tag)
    })

    it('lists changes oldest first, withdrawn products too, and hands on a watermark', async () => {
      const path = '/v1/products?updated_since=2000-01-01T00:00:00Z&limit=200'
      const rows: { sku: string; updated_at: string; active: boolean }[] = []
      let watermark = ''
      for (let offset = 0, more = true; more; offset += 200) {
        const { body } = await get(`${path}&offset=${offset}`)
        rows.push(...body.data)
        more = body.pagination.has_more
        watermark = body.sync.watermark
        if (!more && !catalog.isMirrored)
          expect(Date.parse(watermark)).to.be.within(0, Date.parse(rows.at(-1)!.updated_at))
      }
      const keys = rows.map((row) => `${new Date(row.updated_at).toISOString()} ${row.sku}`)
      // A mirror lists changes in the order in which it has seen them.
      if (!catalog.isMirrored) expect(keys).to.deep.equal(keys.toSorted())
      expect(new Set(keys)).to.have.lengthOf(keys.length)
      expect(rows.find((row) => row.sku === products.withdrawn)).to.have.keys('sku', 'active', 'updated_at')
      const last = rows.at(-1)!
      const since = catalog.isMirrored ? watermark : last.updated_at
      const again = await get(`/v1/products?limit=200&updated_since=${encodeURIComponent(since)}`)
      if (catalog.isMirrored) expect(skusOf(again)).to.deep.equal([])
      else expect(skusOf(again)).to.include(last.sku)
    })

    it('charges a signed-in shopper of a secret key the contract price, and nobody else', async () => {
      const { customer, sku } = products.contract
      const token = await catalog.api.shopperToken({ merchant: catalog.merchant, customer })
      const signedIn = { 'X-Storefront-Shopper-Token': token }
      const contract = (await catalog.api.request(`/v1/products/${sku}`, { key: secret, headers: signedIn })).body.price
      const list = (await product(sku)).body.price
      expect(contract).to.include({ price_type: 'CONTRACT', list_amount: list.amount })
      expect(Number(contract.amount)).to.be.below(Number(list.amount))
      expect(contract.breaks).to.not.be.empty
      expect((await product(sku, signedIn)).body.price.price_type).to.equal('LIST')
      expect((await catalog.api.request(`/v1/products/${sku}`, { key: secret })).body.price).to.deep.equal(list)
    })

    it('revalidates without sending the body again', async () => {
      const first = await get('/v1/categories')
      const second = await get('/v1/categories', { 'If-None-Match': first.headers.etag })
      expect([second.status, second.bytes.byteLength]).to.deep.equal([304, 0])
      expect(second.headers.etag).to.equal(first.headers.etag)
    })

    it('keeps the page when a system fails, and names the section', async () => {
      for (const [system, field] of [
        ['pricing', 'price'],
        ['accounting', 'tax'],
      ] as const) {
        const { status, headers, body } = await product(products.inStock, { 'X-Sandbox-Fault': `${system}=timeout` })
        expect([status, headers['forecourt-complete'], body[field]]).to.deep.equal([200, 'false', null])
        expect(body.errors.map((entry: { field: string }) => entry.field)).to.include(field)
      }
    })

    it('knows vehicles, or says that they are not configured', async () => {
      const { status, body } = await get('/v1/vehicles/years')
      expect(status).to.equal(200)
      if (products.vehicles) expect(body.data).to.not.be.empty
      else expect(body.errors).to.have.lengthOf(1).and.to.have.nested.property('[0].code', 'not_configured')
    })
  })
}
