import { expect } from 'chai'
import { type System, systems } from '../../../src/ports/system.ts'
import { type Api, startApi } from '../../support/api.ts'

const MAX_AGE_MS = 60_000
/** No response is served from its cache any longer than this. */
const RESPONSE_CACHE_MS = 70_001
const CATEGORY_AND_TAG = '/v1/products?q=brake%20pad&facets=category,tag&limit=5'
const READS = {
  list: '/v1/products?limit=5',
  search: '/v1/products?q=brake%20pad&limit=5',
  category: '/v1/products?category=braking&limit=5',
  product: '/v1/products/BP-1001',
  categories: '/v1/categories',
  tags: '/v1/tags',
  band: '/v1/products/BP-1001/availability',
  lookup: '/v1/lookup?number=BP-1001',
}

/** Sections that are read from each part of the mirror. */
const fieldsOf = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field)

describe('the catalog while inventory and pricing refuse connections', () => {
  let api: Api
  let key: string
  let now = Date.now()
  let filledAt: number
  /** The bodies before the outage. */
  const whole: Record<string, unknown> = {}

  before(async () => {
    api = await startApi({ mirror: { maxAgeMs: MAX_AGE_MS }, now: () => now })
    key = await api.key()
    filledAt = now
    await api.fillMirror()
    await api.fillMirror({ skus: ['BP-1001'], vehicles: true })
    for (const [name, path] of Object.entries(READS)) whole[name] = (await api.request(path, { key })).body
    whole.batch = (await readBatch()).body
    for (const system of systems) await stopSystem(system)
  })
  after(() => api?.[Symbol.asyncDispose]())

  async function stopSystem(system: System) {
    await api.systems[system].stop()
    api.systems[system] = { ...api.systems[system], stop: async () => {} }
  }

  const readBatch = () =>
    api.request('/v1/availability/batch', { key, body: { skus: ['BP-1001', 'BP-1003', 'no-such-sku'] } })

  it('answers as before, without a mark, while the mirror is younger than its bound', async () => {
    now = filledAt + MAX_AGE_MS
    for (const [name, path] of Object.entries(READS)) {
      const { status, body } = await api.request(path, { key })
      expect([name, status, body]).to.deep.equal([name, 200, whole[name]])
    }
    const { status, body } = await readBatch()
    expect([status, body]).to.deep.equal([200, whole.batch])
  })

  it('answers as before, marked with the age, as soon as it is older, although responses were cached', async () => {
    now += 1
    const as_of = new Date(filledAt).toISOString()
    for (const [name, path] of Object.entries(READS)) {
      const { status, body } = await api.request(path, { key })
      const { errors, ...rest } = body
      const { errors: _, ...before } = whole[name] as { errors: unknown[] }
      expect([name, status, rest]).to.deep.equal([name, 200, before])
      expect(errors, name).to.not.deep.equal([])
      for (const entry of errors) expect(entry, name).to.include({ code: 'downstream_unavailable', stale: true, as_of })
    }
    const { body: product } = await api.request(READS.product, { key })
    expect(fieldsOf(product)).to.deep.equal(['product', 'price', 'tax', 'availability', 'references'])
    const { status, body } = await readBatch()
    expect([status, fieldsOf(body)]).to.deep.equal([200, ['product', 'band']])
    expect((await api.request('/v1/products/no-such-sku', { key })).status).to.equal(404)
  })

  it('says the age of the older part, where parts have different ages', async () => {
    const { states } = api.mirrorOf()
    const before = structuredClone(states)
    const [vehicle] = (await api.request('/v1/products/BP-1001/fitments', { key })).body.data
    for (const name of ['products', 'tags'] as const) states[name].asOf = now
    const [of, list] = [states.vehicles.asOf, `/v1/vehicles/${vehicle.vehicle_id}/products?sort=name&limit=5`]
    const ageOf = async (path: string, field: string) => {
      const { errors } = (await api.request(path, { key })).body as { errors: { field: string; as_of: string }[] }
      return errors.find((entry) => entry.field === field)?.as_of
    }
    expect(await ageOf(list, 'data')).to.equal(new Date(of).toISOString())
    states.tags.asOf = of - 1_000
    expect(await ageOf(CATEGORY_AND_TAG, 'facets')).to.equal(new Date(of - 1_000).toISOString())
    Object.assign(states, before)
  })

  it('sells nothing from the mirror', async () => {
    now += RESPONSE_CACHE_MS
    const secret = await api.key({ kind: 'secret' })
    const headers = { 'X-Storefront-Shopper-Token': await api.shopperToken() }
    const request = (path: string, method: string, body?: unknown) =>
      api.request(path, { key: secret, method, headers, ...(body !== undefined && { body }) })
    const { cart_id } = (await request('/v1/carts', 'POST')).body
    const line = await request(`/v1/carts/${cart_id}/lines`, 'POST', { sku: 'BP-1001', quantity: 1 })
    expect([line.status, line.body.pricing.state, line.body.totals]).to.deep.equal([200, 'UNPRICED', null])
    const unknown = await request(`/v1/carts/${cart_id}/lines`, 'POST', { sku: 'NOT-YET-READ', quantity: 1 })
    expect(unknown.status).to.equal(503)
    const priced = await request(`/v1/carts/${cart_id}/price`, 'POST')
    const refusals = ['downstream_unavailable', 'circuit_open']
    expect([priced.status, refusals.includes(priced.body.code)]).to.deep.equal([503, true])
    const checkout = await request('/v1/checkout', 'POST', { cart_id })
    expect([checkout.status, refusals.includes(checkout.body.code)]).to.deep.equal([503, true])
    const live = (await api.request('/v1/products/BP-1001', { key: secret, headers })).body
    expect([live.price, live.errors.find(({ field }: { field: string }) => field === 'price').stale]).to.deep.equal([
      null,
      undefined,
    ])
  })
})
