import { expect } from 'chai'
import type { Api, Reply } from './api.ts'

/** What a back office is known to hold, whatever its kind. */
export interface KnownProducts {
  inStock: string
  low: string
  out: string
  leadTime: string
  overdue: string
  withdrawn: string
  /** With characters that a URL must escape. */
  odd: string
  taxExempt: string
  /** A category slug above other categories, and SKUs that are somewhere below it. */
  category: { slug: string; below: string[] }
  tag: { tag: string; of: string }
  /** Words in another order and case than the name has them, and the SKU that they find. */
  words: { q: string; find: string }
  /** A customer, and a SKU whose contract price is below its list price and falls with the quantity. */
  contract: { customer: string; sku: string }
  /** Whether it knows vehicles; else they are `not_configured`. */
  vehicles: boolean
}

export interface CatalogUnderTest {
  api: Api
  merchant: string
  goods: KnownProducts
}

/** What a storefront relies on when it reads a catalog, over any back office: every answer is also judged by the published document. */
export function describeCatalogReads(name: string, open: () => Promise<CatalogUnderTest>): void {
  describe(`a storefront reads the catalog of ${name}`, () => {
    let shop: CatalogUnderTest
    let goods: KnownProducts
    let publishable: string
    let secret: string
    const get = (path: string, headers = {}): Promise<Reply> => shop.api.ask(path, { key: publishable, headers })
    const product = (sku: string, headers = {}) => get(`/v1/products/${encodeURIComponent(sku)}`, headers)
    const skusOf = (reply: Reply): string[] => reply.body.data.map((row: { sku: string }) => row.sku)

    before(async () => {
      shop = await open()
      goods = shop.goods
      publishable = await shop.api.key({ merchant: shop.merchant })
      secret = await shop.api.key({ merchant: shop.merchant, kind: 'secret' })
    })
    after(() => shop?.api[Symbol.asyncDispose]())

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
      const { status, body } = await product(goods.inStock)
      expect(status).to.equal(200)
      expect(body).to.deep.include({ sku: goods.inStock, active: true, availability: { band: 'IN_STOCK', eta: null } })
      expect(body.price).to.include({ price_type: 'LIST', currency: 'JMD', amount: body.price.list_amount })
      expect(body.tax.rate).to.equal('0.15')
      expect((await product(goods.taxExempt)).body.tax.rate).to.equal('0')
    })

    it('finds a product whose SKU must be escaped', async () => {
      expect((await product(goods.odd)).body.sku).to.equal(goods.odd)
      expect(skusOf(await get(`/v1/products?q=${encodeURIComponent(goods.odd)}`))).to.include(goods.odd)
    })

    it('does not know a withdrawn or an absent product', async () => {
      expect((await product(goods.withdrawn)).status).to.equal(404)
      expect((await product('no-such-sku')).status).to.equal(404)
    })

    it('tells each band, and a day to come with a lead time alone', async () => {
      const skus = [goods.inStock, goods.low, goods.out, goods.leadTime, goods.overdue, 'no-such-sku', goods.inStock]
      const { body } = await shop.api.ask('/v1/availability/batch', { key: publishable, body: { skus } })
      expect(body.data.map((row: { band: string }) => row.band)).to.deep.equal([
        'IN_STOCK',
        'LOW',
        'OUT',
        'LEAD_TIME',
        'OUT',
      ])
      expect(body.unknown_skus).to.deep.equal(['no-such-sku'])
      const single = (await get(`/v1/products/${goods.leadTime}/availability`)).body
      expect(single.lead_time_days).to.be.above(0)
      expect(Date.parse(single.eta)).to.be.above(Date.now() - 86_400_000)
    })

    it('filters by a category with its descendants, by tag, and by words', async () => {
      const below = skusOf(await get(`/v1/products?category=${goods.category.slug}&limit=200`))
      expect(below).to.include.members(goods.category.below)
      expect(skusOf(await get(`/v1/products?tag=${encodeURIComponent(goods.tag.tag)}&limit=200`))).to.include(
        goods.tag.of,
      )
      expect(skusOf(await get(`/v1/products?q=${encodeURIComponent(goods.words.q)}`))).to.include(goods.words.find)
      const both = skusOf(await get(`/v1/products?category=${goods.category.slug}&q=${goods.category.below[0]}`))
      expect(both).to.include(goods.category.below[0])
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
      expect(slugs).to.include(goods.category.slug)
      expect(new Set(slugs)).to.have.lengthOf(slugs.length)
      const tags = (await get('/v1/tags')).body.data.map((row: { tag: string }) => row.tag)
      expect(tags).to.include(goods.tag.tag)
    })

    it('lists changes oldest first, withdrawn products too, and hands on a watermark', async () => {
      const path = '/v1/products?updated_since=2000-01-01T00:00:00Z&limit=200'
      const rows: { sku: string; updated_at: string; active: boolean }[] = []
      for (let offset = 0, more = true; more; offset += 200) {
        const { body } = await get(`${path}&offset=${offset}`)
        rows.push(...body.data)
        more = body.pagination.has_more
        if (!more) expect(Date.parse(body.sync.watermark)).to.be.within(0, Date.parse(rows.at(-1)!.updated_at))
      }
      const keys = rows.map((row) => `${new Date(row.updated_at).toISOString()} ${row.sku}`)
      expect(keys).to.deep.equal(keys.toSorted())
      expect(rows.find((row) => row.sku === goods.withdrawn)).to.have.keys('sku', 'active', 'updated_at')
      const last = rows.at(-1)!
      const again = await get(`/v1/products?limit=200&updated_since=${encodeURIComponent(last.updated_at)}`)
      expect(skusOf(again)).to.include(last.sku)
    })

    it('charges a signed-in shopper of a secret key the contract price, and nobody else', async () => {
      const { customer, sku } = goods.contract
      const token = await shop.api.shopper({ merchant: shop.merchant, customer })
      const signedIn = { 'X-Storefront-Shopper-Token': token }
      const contract = (await shop.api.ask(`/v1/products/${sku}`, { key: secret, headers: signedIn })).body.price
      const list = (await product(sku)).body.price
      expect(contract).to.include({ price_type: 'CONTRACT', list_amount: list.amount })
      expect(Number(contract.amount)).to.be.below(Number(list.amount))
      expect(contract.breaks).to.not.be.empty
      expect((await product(sku, signedIn)).body.price.price_type).to.equal('LIST')
      expect((await shop.api.ask(`/v1/products/${sku}`, { key: secret })).body.price).to.deep.equal(list)
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
        const { status, headers, body } = await product(goods.inStock, { 'X-Sandbox-Fault': `${system}=timeout` })
        expect([status, headers['forecourt-complete'], body[field]]).to.deep.equal([200, 'false', null])
        expect(body.errors.map((entry: { field: string }) => entry.field)).to.include(field)
      }
    })

    it('knows vehicles, or says that they are not configured', async () => {
      const { status, body } = await get('/v1/vehicles/years')
      expect(status).to.equal(200)
      if (goods.vehicles) expect(body.data).to.not.be.empty
      else expect(body.errors).to.have.lengthOf(1).and.to.have.nested.property('[0].code', 'not_configured')
    })
  })
}
