import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

describeWithAndWithoutMirror('GET /v1/products, page by page', (mirror) => {
  let api: Api
  let key: string
  let total: number

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror()
    key = await api.key()
    total = (await api.request('/v1/products?limit=1', { key })).body.pagination.total
  })
  after(() => api[Symbol.asyncDispose]())

  const page = async (query: string) => (await api.request(`/v1/products${query}`, { key })).body

  it('starts with fifty products', async () => {
    const { data, pagination } = await page('')
    expect(data).to.have.length(50)
    expect(pagination).to.deep.equal({ limit: 50, offset: 0, count: 50, total, has_more: true, next_offset: 50 })
    expect(total).to.be.greaterThan(1_000)
  })

  it('reaches every product once by next_offset', async () => {
    const seen: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { data, pagination } = await page(`?limit=200&offset=${offset}`)
      expect(pagination).to.deep.include({ limit: 200, offset, count: data.length, total })
      expect(pagination.has_more).to.equal(pagination.next_offset !== null)
      seen.push(...data.map(({ sku }: { sku: string }) => sku))
      offset = pagination.next_offset
    }
    expect(seen).to.have.length(total)
    expect(new Set(seen).size).to.equal(total)
  })

  it('ends with a partial page', async () => {
    const { data, pagination } = await page(`?limit=7&offset=${total - 3}`)
    expect(data).to.have.length(3)
    expect(pagination).to.deep.equal({
      limit: 7,
      offset: total - 3,
      count: 3,
      total,
      has_more: false,
      next_offset: null,
    })
  })

  it('ends where the last page is exactly full', async () => {
    const { pagination } = await page(`?limit=5&offset=${total - 5}`)
    expect(pagination).to.include({ count: 5, has_more: false, next_offset: null })
  })

  for (const offset of ['100000', '2147483648', '9007199254740991']) {
    it(`is an empty 200 past the end, at ${offset}`, async () => {
      const { status, body } = await api.request(`/v1/products?offset=${offset}`, { key })
      expect(status).to.equal(200)
      expect(body.data).to.deep.equal([])
      expect(body.pagination).to.include({ count: 0, has_more: false, next_offset: null })
    })
  }

  for (const limit of ['1.0', '+1', '%201', '01', '1&limit=1', '9&limit=1']) {
    it(`treats limit=${limit} as 1`, async () => {
      expect((await page(`?limit=${limit}`)).pagination.limit).to.equal(1)
    })
  }

  it('pages through a vehicle’s products and a product’s fitments in the same way', async () => {
    const first = (await api.request('/v1/vehicles/1001/products?limit=3', { key })).body
    const second = (
      await api.request(`/v1/vehicles/1001/products?limit=3&offset=${first.pagination.next_offset}`, { key })
    ).body
    const both = [...first.data, ...second.data].map(({ sku }: { sku: string }) => sku)
    expect(new Set(both).size).to.equal(6)
    const fits = (await api.request('/v1/products/BP-1001/fitments?limit=2&offset=1', { key })).body
    expect(fits.pagination).to.include({ limit: 2, offset: 1, count: 2, has_more: true, next_offset: 3 })
  })
})
