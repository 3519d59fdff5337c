import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('GET /v1/me', () => {
  let api: Api
  let secret: string

  before(async () => {
    api = await startApi()
    secret = await api.key({ kind: 'secret' })
  })
  after(() => api[Symbol.asyncDispose]())
  afterEach(() => api.clearFaults())

  const read = async (path: string, token: string | undefined, key = secret) =>
    api.request(path, { key, headers: { 'x-storefront-shopper-token': token } })
  const customer = (id: string) => api.shopperToken({ customer: id })

  it('returns the customer of the token from accounting', async () => {
    const { status, body, headers } = await read('/v1/me', await customer('C-1004'))
    expect(status).to.equal(200)
    expect(headers['cache-control']).to.equal('private, no-store')
    expect(headers['forecourt-complete']).to.equal('true')
    expect(body).to.include({
      customer_id: 'C-1004',
      company: 'Portmore Taxi Cooperative',
      email: 'stores@portmore-taxi.example',
      customer_type: 'BUSINESS',
      status: 'ON_HOLD',
      currency: 'JMD',
    })
    expect(body.payment_methods).to.deep.equal(['CREDIT_TERMS', 'CASH_ON_DELIVERY'])
    expect(body.addresses[0]).to.include({ city: 'St. Catherine', country: 'JM', is_default: true })
    expect(body).to.not.have.any.keys('tax_exempt', 'price_list_id')
  })

  for (const path of ['/v1/me', '/v1/me/credit-status']) {
    it(`${path} needs the secret key and the token`, async () => {
      const token = await customer('C-1001')
      expect((await read(path, token, await api.key())).body.code).to.equal('publishable_key_not_allowed')
      expect((await read(path, undefined)).body.code).to.equal('missing_shopper_token')
      expect((await read(path, 'nobody-knows-it')).body.code).to.equal('invalid_shopper_token')
      const scopeless = await api.key({ kind: 'secret', scopes: ['storefront:catalog'] })
      expect((await read(path, token, scopeless)).body.code).to.equal('insufficient_scope')
    })

    it(`${path} is 404 when accounting no longer has the customer`, async () => {
      const { status, body } = await read(path, await customer('C-9999'))
      expect([status, body.code]).to.deep.equal([404, 'not_found'])
    })

    it(`${path} returns the last-good value while accounting fails, and an error without one`, async () => {
      const token = await customer('C-1002')
      const healthy = await read(path, token)
      await api.fault('accounting', { status: 500 })
      const { body, status } = await read(path, token)
      expect(status).to.equal(200)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0]).to.include({ code: 'downstream_error', stale: true })
      expect({ ...body, errors: [] }).to.deep.equal(healthy.body)
      const never = await read(path, await customer('C-1007'))
      expect(never.status).to.be.oneOf([502, 503])
      expect(never.headers['retry-after']).to.match(/^\d+$/)
    })
  }
})
