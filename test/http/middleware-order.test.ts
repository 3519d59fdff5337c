import { expect } from 'chai'
import { generateApiKey } from '../../src/storage/keys/api-key-format.ts'
import { type Api, startApi } from '../support/api.ts'

const ORIGIN = 'https://shop.example'
const JUNK = { 'content-type': 'application/json' }

describe('the order of checks', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  /** Sends a request in which everything is wrong except what `right` replaces. */
  async function code(right: { key?: string; origin?: string; token?: string; query?: string }): Promise<string> {
    const {
      key = generateApiKey('publishable', 'sandbox'),
      origin = 'https://evil.example',
      token = 'x',
      query = 'limit=0',
    } = right
    const headers = { origin, 'x-storefront-shopper-token': token }
    const { status, body } = await api.request(`/v1/products/NOPE-1/fitments?${query}`, { key, headers })
    return status === 422 ? 'invalid' : body.code
  }

  it('is key, origin, scope, rate limit, shopper, merchant of the shopper, input, existence', async () => {
    const used = async (request: object) => {
      const key = await api.key({ origins: [ORIGIN], rate: 1, ...request })
      await api.request('/v1/ping', { key })
      return key
    }
    const good = await api.key({ origins: [ORIGIN] })
    const scopeless = await used({ scopes: [] })
    const exhaustedKey = await used({})
    expect(await code({})).to.equal('invalid_api_key')
    expect(await code({ key: scopeless })).to.equal('origin_not_allowed')
    expect(await code({ key: scopeless, origin: ORIGIN })).to.equal('insufficient_scope')
    expect(await code({ key: exhaustedKey, origin: ORIGIN })).to.equal('rate_limited')
    expect(await code({ key: good, origin: ORIGIN })).to.equal('invalid_shopper_token')
    const foreign = await api.shopperToken({ merchant: 'zenith' })
    expect(await code({ key: good, origin: ORIGIN, token: foreign })).to.equal('shopper_merchant_mismatch')
    const token = await api.shopperToken()
    expect(await code({ key: good, origin: ORIGIN, token })).to.equal('invalid')
    expect(await code({ key: good, origin: ORIGIN, token, query: 'limit=1' })).to.equal('not_found')
  })

  it('checks the key before the body, however large or broken', async () => {
    const body = 'x'.repeat(2_000_000)
    const { status } = await api.request('/v1/availability/batch', { headers: { ...JUNK, connection: 'close' }, body })
    expect(status).to.equal(401)
  })

  it('checks the shopper before the body', async () => {
    const headers = { ...JUNK, 'x-storefront-shopper-token': 'x' }
    const { body } = await api.request('/v1/availability/batch', { key: await api.key(), headers, body: '{' })
    expect(body.code).to.equal('invalid_shopper_token')
  })

  it('checks the key before the path and the method', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nowhere'],
      ['DELETE', '/v1/products'],
    ] as const) {
      expect((await api.request(path, { method })).status, path).to.equal(401)
    }
  })
})
