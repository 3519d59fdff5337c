import { expect } from 'chai'
import { openDemoMirror } from '../../catalog/demo-mirror.ts'
import type { TestMirror } from '../../catalog/test-mirror.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createFileMirrorReader, type FileMirrorReader, useMirror } from '../../support/file-mirror-reader.ts'

interface Row {
  sku: string
  brand: string | null
  name: string
  price: { amount: string } | null
  categories: { slug: string }[]
  fitment?: { universal: boolean } | null
}

describe('GET /v1/products with a mirror', () => {
  let api: Api
  let key: string
  let file: TestMirror
  let mirror: FileMirrorReader

  before(async () => {
    api = await startApi()
    key = await api.key()
    file = openDemoMirror()
    mirror = createFileMirrorReader(file)
    useMirror(api, mirror)
  })
  afterEach(() => {
    mirror.state = 'ready'
    mirror.failure = null
  })
  after(async () => {
    mirror[Symbol.dispose]()
    file[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
  })

  let nonce = 0
  /** A new limit for each read: no response comes from the cache. */
  const get = (query: string) => api.request(`/v1/products?${query}&x=${nonce++}`, { key })
  async function list(query: string) {
    const { status, body } = await get(query)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as {
      data: Row[]
      pagination: { total: number }
      facets: Record<'brand' | 'category' | 'tag' | 'availability' | 'price', Record<string, unknown>[]>
      corrected_q?: string | null
      closest?: { q: string; left_out: string[]; total: number } | null
    }
  }

  it('says in each response, also in a cached one, that no product has the value of a filter', async () => {
    for (const _ of [1, 2, 3, 4]) {
      const { status, headers } = await api.request('/v1/products?brand=tamarro&limit=7', { key })
      expect(status).to.equal(200)
      expect(headers['forecourt-hint']).to.equal(
        'The value of brand is not the brand of any product, so the list is empty. Did you mean brand=Tamaro? GET /v1/products?facets=brand&limit=1 lists brands.',
      )
    }
  })

  it('has no hint if products have each value of a filter, but none has all', async () => {
    const { body, headers } = await get('category=brake-pads&brand=tamaro&tag=safety&min_price=999999')
    expect(body.data).to.deep.equal([])
    expect(headers).to.not.have.property('forecourt-hint')
  })

  for (const [q, sku] of Object.entries({ 'pads brake': 'BP-1040', BP1001: 'BP-1001', 'oil,filter': 'OF-1044' })) {
    it(`finds ${sku} for ${q}, with its price`, async () => {
      const { data } = await list(`q=${encodeURIComponent(q)}&limit=3`)
      const found = data.find((row) => row.sku === sku)
      expect(found?.price?.amount).to.match(/^\d/)
    })
  }

  it('takes a repeated filter as any of its values', async () => {
    const totals = async (query: string) => (await list(query)).pagination.total
    const [discs, pads] = [await totals('category=brake-discs'), await totals('category=brake-pads')]
    expect(await totals('category=brake-discs&category=brake-pads')).to.equal(discs + pads)
    expect(await totals('tag=safety&tag=nothing')).to.equal(await totals('tag=safety'))
    const both = await list('brand=Norvane&brand=TAMARO&limit=200')
    expect(new Set(both.data.map(({ brand }) => brand))).to.deep.equal(new Set(['Norvane', 'Tamaro']))
  })

  it('filters by price, inclusive, and sorts by it', async () => {
    const { data, pagination } = await list('category=brake-pads&min_price=6800&max_price=6800.00&sort=price')
    expect(data.length).to.equal(pagination.total).and.be.greaterThan(0)
    expect((await list('category=brake-pads&min_price=6800.01')).data).to.deep.equal([])
    const names = (await list('q=brake&sort=name&limit=200')).data.map(({ name }) => name)
    expect(names.slice(0, 2)).to.deep.equal(names.toSorted().slice(0, 2))
  })

  it('takes SKUs separated by commas and repeated, at most 200', async () => {
    const { data } = await list('skus=BP-1001,BP-1002&skus=OF-1001&skus=NOPE')
    expect(data.map(({ sku }) => sku)).to.have.members(['BP-1001', 'BP-1002', 'OF-1001'])
    expect((await list('skus=')).data).to.deep.equal([])
    const { status, body } = await get(`skus=${Array.from({ length: 201 }, (_, i) => `S${i}`).join(',')}`)
    expect([status, body.detail[0].type, body.detail[0].loc]).to.deep.equal([422, 'too_long', ['query', 'skus']])
  })

  it('finds a product by its slug', async () => {
    const [row] = (await list('skus=BP-1001')).data as (Row & { slug: string })[]
    expect((await list(`slug=${row!.slug}`)).data.map(({ sku }) => sku)).to.deep.equal(['BP-1001'])
    expect((await list('slug=no-such-slug')).pagination.total).to.equal(0)
    expect((await list(`slug=${row!.slug}&tag=nothing`)).data).to.deep.equal([])
  })

  it('counts facets without their own filter, with names', async () => {
    const { facets, pagination } = await list('q=brake&facets=brand,category,tag&facets=availability,price&limit=1')
    expect(Object.keys(facets)).to.deep.equal(['brand', 'category', 'tag', 'availability', 'price'])
    expect(facets.category.find(({ slug }) => slug === 'brake-pads')).to.include({
      name: 'Brake Pads',
    })
    expect(facets.tag.find(({ value }) => value === 'safety')).to.include({ name: 'Safety part' })
    expect(facets.availability).to.deep.equal([{ value: 'IN_STOCK', count: pagination.total }])
    for (const { from, count } of facets.price) expect([from, count]).to.deep.equal([String(from), count])
    const narrowed = await list('q=brake&brand=Norvane&facets=brand&limit=1')
    expect(narrowed.facets.brand).to.deep.equal(facets.brand)
    expect((await list('q=brake')).facets).to.equal(undefined)
  })

  it('says which text it searched instead', async () => {
    expect((await list('q=alternatr')).corrected_q).to.equal('alternator')
    expect((await list('q=alternator')).corrected_q).to.equal(null)
  })

  it('finds the products of subcategories by the name of their category, as many as the facet counts', async () => {
    const { pagination } = await list('q=cooling')
    const { facets } = await list('facets=category&limit=1')
    expect(facets.category.find(({ slug }) => slug === 'cooling')).to.include({ count: pagination.total })
  })

  it('says what fewer words find, with the same filters, when nothing has all words', async () => {
    const { data, pagination, corrected_q, closest } = await list('q=cheap+brake+pads')
    expect([data, pagination.total, corrected_q]).to.deep.equal([[], 0, null])
    expect(closest).to.deep.equal({ q: 'brake pads', left_out: ['cheap'], total: 39 })
    const ofBrand = await list('q=cheap+brake+pads&brand=Norvane')
    expect(ofBrand.closest).to.deep.include({ total: (await list('q=brake+pads&brand=Norvane')).pagination.total })
    for (const query of ['q=brake+pads', 'q=zzzz', 'q=brake+pads&brand=none', 'q=breake+pads'])
      expect((await list(query)).closest, query).to.equal(null)
    expect(await list('limit=1')).to.not.have.property('closest')
  })

  it('carries the fitment of each item of a vehicle', async () => {
    const { data } = await list('vehicle_id=1139&limit=10')
    expect(data.length).to.be.greaterThan(0)
    for (const { fitment } of data) expect(fitment?.universal).to.be.a('boolean')
    const { body } = await api.request('/v1/vehicles/1139/products?facets=brand&sort=-price', {
      key,
    })
    expect(body.vehicle).to.include({ make: 'Toyota', model: 'Camry' })
    expect(body.data.length).to.equal(50)
    for (const { fitment } of body.data) expect(fitment.universal).to.be.a('boolean')
    expect(body.facets.brand).to.be.an('array')
  })

  it('serves what the mirror has when it is stale, and says so', async () => {
    mirror.failure = 'unavailable'
    const { status, headers, body } = await get('q=brake&sort=price&limit=2')
    expect([status, headers['forecourt-complete'], body.data.length]).to.deep.equal([200, 'false', 2])
    expect(body.errors[0]).to.include({ field: 'data', stale: true })
  })

  for (const [query, type, loc] of [
    ['sort=cheapest', 'literal_error', ['query', 'sort']],
    ['availability=OUT&availability=PLENTY', 'literal_error', ['query', 'availability', 1]],
    ['facets=brand,size', 'literal_error', ['query', 'facets', 1]],
    ['min_price=abc', 'string_pattern_mismatch', ['query', 'min_price']],
    ['min_price=1e5', 'string_pattern_mismatch', ['query', 'min_price']],
    ['min_price=10&max_price=9.99', 'price_range_invalid', ['query', 'min_price']],
    [`category=a&category=${'b'.repeat(129)}`, 'string_too_long', ['query', 'category', 1]],
    ['updated_since=2026-01-01T00:00:00Z&sort=price', 'updated_since_conflict', ['query', 'sort']],
  ] as const) {
    it(`rejects ${query.slice(0, 60)}`, async () => {
      const { status, body } = await get(query)
      expect([status, body.detail[0].type, body.detail[0].loc]).to.deep.equal([422, type, loc])
    })
  }

  const ONLY_MIRROR = {
    sort: 'sort=name',
    brand: 'brand=Norvane',
    availability: 'availability=OUT',
    min_price: 'min_price=1',
    max_price: 'max_price=1',
    facets: 'facets=brand',
    category: 'category=a&category=b',
    tag: 'tag=a&tag=b',
    slug: 'slug=a',
  }

  it('rejects what only a mirror can answer when it is off', async () => {
    mirror.state = 'off'
    for (const [name, query] of Object.entries(ONLY_MIRROR)) {
      for (const path of ['/v1/products', '/v1/vehicles/1139/products']) {
        const { status, body } = await api.request(`${path}?${query}&q=off`, { key })
        expect([status, body.detail[0].type, body.detail[0].loc]).to.deep.equal([
          422,
          'mirror_required',
          ['query', name],
        ])
      }
    }
    expect((await list('q=off&sort=relevance&category=brake-pads&category=brake-pads')).pagination.total).to.equal(0)
    expect((await list('skus=BP-1002,BP-1001,NOPE,BP-1010')).data.map(({ sku }) => sku)).to.deep.equal([
      'BP-1001',
      'BP-1002',
    ])
  })

  it('asks to retry while the mirror is filled, and lists as without it', async () => {
    mirror.state = 'filling'
    for (const query of [...Object.values(ONLY_MIRROR), 'updated_since=2026-01-01T00:00:00Z']) {
      const { status, headers, body } = await get(`${query}&q=filling`)
      expect([status, body.code, headers['retry-after']]).to.deep.equal([503, 'catalog_loading', '5'])
    }
    expect((await list('q=brake&tag=safety')).pagination.total).to.be.greaterThan(0)
  })
})
