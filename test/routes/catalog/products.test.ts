import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

interface Row {
  sku: string
  name: string
  brand: string | null
  tags: string[]
  categories: { category_id: string; slug: string }[]
}

describeWithAndWithoutMirror('GET /v1/products', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    key = await api.key()
    await updateProduct(api.systems.inventory.controlAddress, 'acme', 'BP-1020', {
      name: 'Ñandú Special Étrier',
      active: true,
    })
    await api.fillMirror({ vehicles: true })
  })
  after(() => api[Symbol.asyncDispose]())

  async function list(query: Record<string, string | number> = {}) {
    const { status, body } = await api.request(`/v1/products?${new URLSearchParams(query as Record<string, string>)}`, {
      key,
    })
    expect(status).to.equal(200)
    return body as { data: Row[]; pagination: { total: number; count: number }; errors: unknown[]; sync?: unknown }
  }
  const skus = async (query: Record<string, string | number>) => (await list(query)).data.map(({ sku }) => sku)

  it('lists products without the members that only a product page has', async () => {
    const detail = (await api.request('/v1/products/BP-1001', { key })).body
    const { data, sync, errors } = await list({ q: 'BP-1001' })
    const onlyInDetail = [
      'description',
      'order_uoms',
      'references',
      'supersedes',
      'superseded_by',
      'alternatives',
      'errors',
    ]
    const members = Object.entries(detail).filter(([name]) => !onlyInDetail.includes(name))
    expect(data[0]).to.deep.equal(Object.fromEntries(members))
    expect([sync, errors]).to.deep.equal([undefined, []])
  })

  it('leaves deactivated products out', async () => {
    expect(await skus({ q: knownSkus.deactivated })).to.deep.equal([])
  })

  it('puts an exact SKU first, whatever its case', async () => {
    const found = await skus({ q: 'bp-1003', limit: 200 })
    expect(found[0]).to.equal('BP-1003')
  })

  it('puts an exact barcode first', async () => {
    expect(await skus({ q: '2039253922140' })).to.deep.equal(['BP-1001'])
  })

  for (const q of ['nandu etrier', 'ÑANDÚ ÉTRIER', 'étrier special', 'Special  ñandu']) {
    it(`finds words whatever their case, accents and order: ${q}`, async () => {
      expect(await skus({ q })).to.deep.equal(['BP-1020'])
    })
  }

  it('requires every word', async () => {
    expect(await skus({ q: 'nandu zzzz' })).to.deep.equal([])
  })

  for (const [what, q] of Object.entries({ brand: 'brukke', mpn: 'OZ55692', description: 'chassis grade' })) {
    it(`searches the ${what}`, async () => {
      const { data } = await list({ q, limit: 1 })
      if (what === 'brand') expect(data[0]?.brand).to.equal('Brükke')
      if (what === 'mpn') expect(data.map(({ sku }) => sku)).to.deep.equal(['BP-1001'])
      if (what === 'description') expect(data).to.deep.equal([])
    })
  }

  it('finds words of the description', async () => {
    expect((await list({ q: 'vehicle list before ordering', limit: 1 })).pagination.total).to.be.greaterThan(100)
  })

  it('filters by category, by id or slug, including descendants', async () => {
    const tree = (await api.request('/v1/categories', { key })).body.data
    const braking = tree.find(({ slug }: { slug: string }) => slug === 'braking')
    const byId = await list({ category: braking.category_id, limit: 200 })
    const bySlug = await list({ category: 'braking', limit: 200 })
    expect(byId.pagination.total).to.equal(braking.product_count)
    expect(bySlug.data.map(({ sku }) => sku)).to.deep.equal(byId.data.map(({ sku }) => sku))
    const places = new Set(byId.data.flatMap(({ categories }) => categories.map(({ slug }) => slug)))
    expect([...places]).to.include.members(['brake-pads', 'brake-fluid', 'brake-discs'])
  })

  it('filters by exact tag', async () => {
    const { data } = await list({ tag: 'clearance', limit: 200 })
    expect(data.length).to.be.greaterThan(0)
    for (const { tags } of data) expect(tags).to.include('clearance')
    expect(await skus({ tag: 'Clearance' })).to.deep.equal([])
  })

  it('filters by vehicle, including universal parts', async () => {
    const fitted = (await api.request('/v1/vehicles/1001/products?limit=200', { key })).body
    const { data, pagination } = await list({ vehicle_id: 1001, limit: 200 })
    expect(pagination.total).to.equal(fitted.pagination.total)
    expect(data.map(({ sku }) => sku)).to.deep.equal(fitted.data.map(({ sku }: Row) => sku))
  })

  it('combines filters with AND', async () => {
    const found = await list({ category: 'braking', tag: 'heavy-duty', q: 'front', vehicle_id: 1001, limit: 200 })
    const each = [{ category: 'braking' }, { tag: 'heavy-duty' }, { q: 'front' }, { vehicle_id: 1001 }]
    const alone = await Promise.all(each.map((query) => everySku(query)))
    const inAll = [...alone[0]!].filter((sku) => alone.every((set) => set.has(sku)))
    expect(new Set(found.data.map(({ sku }) => sku))).to.deep.equal(new Set(inAll))
  })

  async function everySku(query: Record<string, string | number>): Promise<Set<string>> {
    const all = new Set<string>()
    for (let offset = 0; ; offset += 200) {
      const page = await list({ ...query, limit: 200, offset })
      for (const { sku } of page.data) all.add(sku)
      if (page.data.length < 200) return all
    }
  }

  for (const query of [
    { category: 'nowhere' },
    { tag: 'nothing' },
    { vehicle_id: 999_999 },
    { vehicle_id: -1 },
    { q: '\u0000' },
    { q: 'zzzzzz' },
  ]) {
    it(`is an empty page for ${JSON.stringify(query)}`, async () => {
      const { data, pagination, errors } = await list(query)
      expect({ data, pagination, errors }).to.deep.equal({
        data: [],
        pagination: { limit: 50, offset: 0, count: 0, total: 0, has_more: false, next_offset: null },
        errors: [],
      })
    })
  }

  it('ignores a blank q', async () => {
    const all = (await list()).pagination.total
    expect((await list({ q: '   ' })).pagination.total).to.equal(all)
    expect((await list({ q: '' })).pagination.total).to.equal(all)
  })

  it('ignores unknown parameters: a query cannot select a tenant or customer', async () => {
    const plain = await api.request('/v1/products?limit=3', { key })
    const dressed = await api.request('/v1/products?tenant_id=zenith&customer_id=C-1001&page=4&cursor=x&limit=3', {
      key,
    })
    expect(dressed.text).to.equal(plain.text)
  })

  // Without a mirror, the page comes from the systems.
  const once = Number(mirror === null)
  it(`calls each system ${mirror ? 'never' : 'once'} for a page of fifty`, async () => {
    const before = { ...api.systems.inventory.calls, ...api.systems.pricing.calls, ...api.systems.accounting.calls }
    await list({ category: 'engine', limit: 50 })
    const after = { ...api.systems.inventory.calls, ...api.systems.pricing.calls, ...api.systems.accounting.calls }
    const made = Object.entries(after).map(([call, count]) => [call, count - (before[call] ?? 0)])
    expect(Object.fromEntries(made)).to.include({ searchProducts: once, quotePrices: once, quoteTaxes: once })
  })
})
