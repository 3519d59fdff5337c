import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'

const CAMRY = 1139
const LOADING = {
  field: 'data',
  code: 'catalog_loading',
  detail: 'The catalog is being loaded. More may match.',
  retry_after_ms: 5_000,
}
const START = '2020-01-01T00:00:00Z'

/** The vehicles are the last part that a mirror reads: one call a product. */
describe('vehicles of a mirror that has the products, but not yet their fitment', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror: { maxAgeMs: 3_600_000 } })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  /** With a text, more may be found later. */
  async function list(path: string, errors: unknown[] = []) {
    const { status, body, headers } = await api.request(path, { key })
    expect([status, body.errors], path).to.deep.equal([200, errors])
    expect(headers['forecourt-complete'], path).to.equal(String(errors.length === 0))
    return body as {
      data: { sku: string; fitment: { universal: boolean } }[]
      pagination: { total: number }
    }
  }
  const countCalls = () => Object.values(api.systems.inventory.calls).reduce((sum, count) => sum + count, 0)

  it('are read from the inventory, with the filters that it has', async () => {
    const own = await list(`/v1/vehicles/${CAMRY}/products?limit=24`)
    expect(own.data).to.have.lengthOf(24)
    for (const [filter, path] of Object.entries({
      'no filter': `/v1/products?vehicle_id=${CAMRY}&limit=24`,
      'a text': `/v1/products?vehicle_id=${CAMRY}&limit=24&q=oil`,
      'a category': `/v1/products?vehicle_id=${CAMRY}&limit=24&category=engine-oil`,
      'a text, with the vehicle': `/v1/vehicles/${CAMRY}/products?limit=24&q=oil`,
      'the usual order': `/v1/vehicles/${CAMRY}/products?limit=24&sort=relevance`,
    })) {
      const { data, pagination } = await list(path, path.includes('q=') ? [LOADING] : [])
      expect(pagination.total, filter).to.be.within(1, own.pagination.total)
      for (const { fitment } of data) expect(fitment, filter).to.have.property('universal')
    }
    const { data, pagination } = await list('/v1/products?vehicle_id=999999')
    expect([data, pagination.total]).to.deep.equal([[], 0])
  })

  it('need few calls of the inventory, however many products a page has', async () => {
    const before = countCalls()
    expect((await list(`/v1/vehicles/${CAMRY}/products?limit=100`)).data).to.have.lengthOf(100)
    expect(countCalls() - before, 'the list of a vehicle').to.equal(1)
    const middle = countCalls()
    expect((await list('/v1/products?vehicle_id=1057&limit=99')).data).to.have.lengthOf(99)
    // The page, and pages of 200 of the vehicle's own list, which say how its products fit.
    expect(countCalls() - middle, 'a list for a vehicle').to.be.within(2, 3)
  })

  it('say that the catalog is being loaded, for orders and filters of the mirror', async () => {
    for (const query of ['sort=price', 'facets=brand', 'brand=Tamaro', 'availability=IN_STOCK'])
      for (const path of [`/v1/products?vehicle_id=${CAMRY}&${query}`, `/v1/vehicles/${CAMRY}/products?${query}`]) {
        const { status, body, headers } = await api.request(path, { key })
        const found = [status, body.code, headers['retry-after']]
        expect(found, path).to.deep.equal([503, 'catalog_loading', '5'])
      }
    for (const filter of ['', '&q=oil', '&limit=3']) {
      const { status, body } = await api.request(`/v1/products?updated_since=${START}&vehicle_id=${CAMRY}${filter}`, {
        key,
      })
      expect([status, body.code], `a sync${filter}`).to.deep.equal([503, 'catalog_loading'])
    }
    const { status: textStatus } = await api.request(`/v1/products?updated_since=${START}&q=oil`, { key })
    expect(textStatus, 'a sync of what a text finds').to.equal(503)
    expect((await api.request(`/v1/products?updated_since=${START}`, { key })).status, 'a sync of all').to.equal(200)
    const { status } = await api.request('/v1/products?sort=price&facets=brand', { key })
    expect(status, 'lists for no vehicle').to.equal(200)
  })

  it('are missing in a text search, which says so when it finds nothing', async () => {
    for (const path of [
      '/v1/products?q=toyota+camry+2010+oil+filter',
      '/v1/products?q=zzzz&limit=3&offset=9',
      '/v1/products?q=zzzz&sort=price&facets=brand',
      `/v1/products?q=zzzz&vehicle_id=${CAMRY}`,
      `/v1/vehicles/${CAMRY}/products?q=zzzz`,
    ]) {
      const { status, body, headers } = await api.request(path, { key })
      expect([status, body.data, body.errors], path).to.deep.equal([200, [], [LOADING]])
      expect(headers['forecourt-complete'], path).to.equal('false')
    }
    for (const query of ['q=%20', 'q=zzzz&skus=', 'brand=zzzz']) await list(`/v1/products?${query}`)
  })

  it('are missing in a text search, which says so beside what it finds, each time', async () => {
    for (const query of ['q=oil+filter', 'q=oil+filter', 'q=oil+filter&offset=9999', 'q=oil&sort=price&facets=brand']) {
      await list(`/v1/products?${query}`, [LOADING])
      const { headers } = await api.request(`/v1/products?${query}`, { key })
      expect(headers['cache-status'], query).to.equal('forecourt; fwd=bypass')
    }
    const secret = await api.key({ kind: 'secret' })
    const token = await api.shopperToken()
    const { body } = await api.request('/v1/products?q=oil', {
      key: secret,
      headers: { 'X-Storefront-Shopper-Token': token },
    })
    expect(body.errors, 'for a customer').to.deep.equal([LOADING])
  })

  it('are missing in suggestions, which say so', async () => {
    for (const q of ['camry+2010', 'zzzz']) {
      const { status, body } = await api.request(`/v1/suggest?q=${q}`, { key })
      expect([status, body.errors], q).to.deep.equal([200, [{ ...LOADING, field: 'suggestions' }]])
    }
    const { status, body, headers } = await api.request('/v1/suggest?q=oil', { key })
    expect([status, body.errors]).to.deep.equal([200, [{ ...LOADING, field: 'suggestions' }]])
    expect([headers['forecourt-complete'], body.products.length > 0]).to.deep.equal(['false', true])
    expect((await api.request('/v1/suggest?q=%20', { key })).body.errors, 'a blank text').to.deep.equal([])
  })

  it('with an id that no vehicle has are none, without a wait for the mirror', async () => {
    expect((await list('/v1/products?vehicle_id=-1&facets=brand')).data).to.deep.equal([])
    const { status, body } = await api.request('/v1/vehicles/-1/products?facets=brand', { key })
    expect([status, body.code]).to.deep.equal([404, 'not_found'])
  })

  it('are not offered with orders and filters of the mirror, if the inventory cannot list the vehicles of a product', async () => {
    const { states } = api.mirrorOf()
    states.vehicles.failure = 'not_configured'
    for (const path of [`/v1/products?vehicle_id=${CAMRY}&sort=price`, `/v1/vehicles/${CAMRY}/products?sort=price`]) {
      const { status, body } = await api.request(path, { key })
      expect([status, body.data, body.errors[0].code], path).to.deep.equal([200, [], 'not_configured'])
    }
    expect((await list(`/v1/products?vehicle_id=${CAMRY}&limit=24`)).data, 'simple lists').to.have.lengthOf(24)
    expect((await list('/v1/products?q=zzzz')).data, 'a text search').to.deep.equal([])
    expect((await list('/v1/products?q=oil+filter')).data, 'what there is').to.not.deep.equal([])
    expect((await api.request('/v1/suggest?q=zzzz', { key })).body.errors, 'suggestions').to.deep.equal([])
    states.vehicles.failure = null
  })
})

describe('a text search', () => {
  const MIRROR = { maxAgeMs: 3_600_000 }
  const find = async (api: Api, key: string, path: string) => {
    const { status, body } = await api.request(path, { key })
    return [status, body.pagination.total, body.errors]
  }

  it('is not complete while the mirror is being filled, and its vehicles', async () => {
    await using api = await startApi({ mirror: MIRROR })
    const key = await api.key()
    // The sandbox's own search knows no plurals.
    for (const path of ['/v1/products?q=pads', `/v1/vehicles/${CAMRY}/products?q=pads`])
      expect(await find(api, key, path), path).to.deep.equal([200, 0, [LOADING]])
    const pad = await api.request('/v1/products?q=pad', { key })
    expect([pad.status, pad.body.errors]).to.deep.equal([200, [LOADING]])
    await api.fillMirror({ vehicles: true })
    expect((await api.request('/v1/products?q=pad', { key })).body.errors, 'all').to.deep.equal([])
    expect(await find(api, key, '/v1/products?q=pads')).to.deep.equal([200, 39, []])
    expect(await find(api, key, '/v1/products?q=zzzz')).to.deep.equal([200, 0, []])
  })

  it('is neither a degraded response nor an incident while the mirror is being filled', async () => {
    await using api = await startApi({ mirror: MIRROR, operations: { metrics: true } })
    await api.fillMirror()
    const key = await api.key()
    for (const path of ['/v1/products?q=oil', '/v1/suggest?q=oil'])
      expect((await api.request(path, { key })).body.errors[0].code, path).to.equal('catalog_loading')
    const { text } = await sendHttpRequest(api.operationsAddress, '/metrics')
    expect(text)
      .to.match(/^forecourt_answers_total{.*outcome="complete"} 2$/m)
      .and.not.match(/outcome="degraded"} [1-9]/)
    expect(text)
      .to.include('section="suggestions"')
      .and.not.match(/served="(?!fresh)/)
  })

  it('finds nothing where there is no mirror', async () => {
    await using api = await startApi()
    const key = await api.key()
    expect(await find(api, key, '/v1/products?q=pads')).to.deep.equal([200, 0, []])
    expect((await api.request('/v1/products?q=pad', { key })).body.errors).to.deep.equal([])
  })
})
