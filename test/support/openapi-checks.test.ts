import { expect } from 'chai'
import { type Api, startApi } from './api.ts'
import { createOpenApiChecks } from './openapi-checks.ts'

/** Every answer of this suite is judged by the published document: here is that the judge can say no. */
describe('the document as a judge', () => {
  let api: Api
  let judge: ReturnType<typeof createOpenApiChecks>
  let product: Record<string, unknown>

  before(async () => {
    api = await startApi()
    judge = createOpenApiChecks((await api.ask('/openapi.json')).body)
    product = (await api.ask('/v1/products/BP-1001', { key: await api.key() })).body
  })
  after(() => api[Symbol.asyncDispose]())

  const headers = { 'content-type': 'application/json' }
  const answered = (body: object, status = 200, path = '/v1/products/BP-1001') =>
    judge({ method: 'GET', path, status, headers, text: JSON.stringify(body) })

  it('takes what is served', () => answered(product))

  for (const [what, change] of Object.entries({
    'a member that is not named': { on_hand: 3 },
    'a count in a section': { availability: { band: 'LOW', eta: null, quantity: 3 } },
    'a number for money': { price: { ...{ amount: 1, currency: 'JMD' } } },
    'a band that is none': { availability: { band: 'PLENTY', eta: null } },
    'a local time': { updated_at: '2026-01-01T00:00:00+05:00' },
    'a member that is missing': { errors: undefined },
    'a code that is none': { errors: [{ field: 'price', code: 'oops', detail: '' }] },
  })) {
    it(`refuses ${what}`, () => {
      expect(() => answered({ ...product, ...change })).to.throw(/against the document/)
    })
  }

  it('refuses a status that the call does not have', () => {
    expect(() => answered({}, 418)).to.throw(/may answer 418/)
  })

  it('refuses a problem and a 422 of another shape', () => {
    expect(() => answered({ error: 'not found' }, 404)).to.throw(/against the document/)
    expect(() => answered({ detail: [] }, 422)).to.throw(/against the document/)
    expect(() => answered({ error: 'nowhere' }, 404, '/v1/nowhere')).to.throw(/against the document/)
  })

  it('refuses a body where there may be none', () => {
    expect(() => judge({ method: 'GET', path: '/v1/tags', status: 304, headers, text: '{}' })).to.throw(/has no body/)
  })
})
