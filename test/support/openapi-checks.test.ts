import { expect } from 'chai'
import { type Api, startApi } from './api.ts'
import { openApiCheckOf } from './openapi-checks.ts'

/** Every response of the other tests passes this check, so it must be able to fail. */
describe('the check against the OpenAPI document', () => {
  let api: Api
  let check: ReturnType<typeof openApiCheckOf>
  let product: Record<string, unknown>

  before(async () => {
    api = await startApi()
    check = openApiCheckOf((await api.request('/openapi.json')).text)
    product = (await api.request('/v1/products/BP-1001', { key: await api.key() })).body
  })
  after(() => api[Symbol.asyncDispose]())

  const headers = { 'content-type': 'application/json' }
  const checkResponse = (body: object, status = 200, path = '/v1/products/BP-1001') =>
    check({ method: 'GET', path, status, headers, text: JSON.stringify(body) })

  it('accepts a real response', () => checkResponse(product))

  for (const [mistake, change] of Object.entries({
    'an unknown member': { on_hand: 3 },
    'a count in a section': { availability: { band: 'LOW', eta: null, quantity: 3 } },
    'a number for money': { price: { amount: 1, currency: 'JMD' } },
    'an unknown band': { availability: { band: 'PLENTY', eta: null } },
    'a local time': { updated_at: '2026-01-01T00:00:00+05:00' },
    'a missing member': { errors: undefined },
    'an unknown code': { errors: [{ field: 'price', code: 'oops', detail: '' }] },
  })) {
    it(`refuses ${mistake}`, () => {
      expect(() => checkResponse({ ...product, ...change })).to.throw(/against the document/)
    })
  }

  it('refuses an undocumented status', () => {
    expect(() => checkResponse({}, 418)).to.throw(/may answer 418/)
  })

  it('refuses a malformed problem and a malformed 422', () => {
    expect(() => checkResponse({ error: 'not found' }, 404)).to.throw(/against the document/)
    expect(() => checkResponse({ detail: [] }, 422)).to.throw(/against the document/)
    expect(() => checkResponse({ error: 'nowhere' }, 404, '/v1/nowhere')).to.throw(/against the document/)
  })

  it('refuses a body where none is allowed', () => {
    expect(() => check({ method: 'GET', path: '/v1/tags', status: 304, headers, text: '{}' })).to.throw(/has no body/)
  })
})
