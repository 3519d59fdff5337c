import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

const PATH = '/v1/products/BP-1001'

describe('X-Storefront-Shopper-Token', () => {
  let api: Api
  let secret: string
  let publishable: string

  before(async () => {
    api = await startApi()
    secret = await api.key({ kind: 'secret' })
    publishable = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const read = (key: string, token?: string, path = PATH) =>
    api.request(path, { key, headers: token === undefined ? {} : { 'x-storefront-shopper-token': token } })

  it('returns contract prices, with their price_type, together with a secret key', async () => {
    const list = (await read(secret)).body.price
    expect(list).to.include({ price_type: 'LIST', amount: '6188.00' })
    const { price } = (await read(secret, await api.shopperToken())).body
    expect(price).to.include({ price_type: 'CONTRACT', amount: '5445.44', list_amount: '6188.00' })
    expect(price.breaks).to.deep.equal([
      { min_quantity: '10', amount: '5197.92' },
      { min_quantity: '50', amount: '4888.52' },
    ])
    const fleet = await read(secret, await api.shopperToken({ customer: 'C-1003' }))
    expect(fleet.body.price).to.include({ price_type: 'CONTRACT', amount: '4702.88' })
  })

  it('applies to lists and to a vehicle’s products', async () => {
    const token = await api.shopperToken()
    const list = (await read(secret, token, '/v1/products?q=BP-1001')).body.data[0]
    expect(list.price.price_type).to.equal('CONTRACT')
    const { data } = (await read(secret, token, '/v1/vehicles/1139/products?limit=20')).body
    const types = data.map(({ price }: { price: { price_type: string } | null }) => price?.price_type)
    expect(types).to.include('CONTRACT')
  })

  it('exempts a customer from tax', async () => {
    const { tax } = (await read(secret, await api.shopperToken({ customer: 'C-1005' }))).body
    expect(tax).to.include({ code: 'EXEMPT', rate: '0' })
  })

  it('keeps list prices for a customer without a contract', async () => {
    const { price } = (await read(secret, await api.shopperToken({ customer: 'C-1009' }))).body
    expect(price).to.include({ price_type: 'LIST', amount: '6188.00' })
  })

  it('changes nothing with a publishable key', async () => {
    const anonymous = await read(publishable)
    const { body, headers } = await read(publishable, await api.shopperToken())
    expect(body).to.deep.equal(anonymous.body)
    expect(headers.etag).to.equal(anonymous.headers.etag)
  })

  it('never mixes the prices of two customers, whoever reads first', async () => {
    const tokens = await Promise.all(['C-1001', 'C-1003', 'C-1009'].map((customer) => api.shopperToken({ customer })))
    for (let pass = 0; pass < 3; pass++) {
      const replies = await Promise.all(
        [...tokens, undefined].map((token) => read(secret, token, '/v1/products/OL-1001')),
      )
      const amounts = replies.map(({ body }) => body.price.amount)
      expect(amounts).to.deep.equal(['1038.40', '896.80', '1180.00', '1180.00'])
    }
  })

  for (const kind of ['publishable', 'secret'] as const) {
    const key = () => (kind === 'secret' ? secret : publishable)

    for (const [what, token] of Object.entries<() => Promise<string>>({
      unknown: async () => 'nobody-knows-it',
      empty: async () => '',
      huge: async () => 'x'.repeat(5_000),
      expired: () => api.shopperToken({ expiresAt: '2020-01-01T00:00:00.000Z' }),
      revoked: () => api.shopperToken({ revokedAt: '2026-01-01T00:00:00.000Z' }),
      'of the other mode': () => api.shopperToken({ mode: 'live' }),
    })) {
      it(`is 401 with a ${kind} key when it is ${what}`, async () => {
        const { status, body, headers } = await read(key(), await token())
        expect([status, body.code]).to.deep.equal([401, 'invalid_shopper_token'])
        expect(body.detail).to.include('POST /v1/shoppers/refresh')
        expect(headers['www-authenticate']).to.equal('Bearer')
      })
    }

    it(`is 403 with a ${kind} key when it is another merchant's`, async () => {
      const { status, body } = await read(key(), await api.shopperToken({ merchant: 'zenith' }))
      expect([status, body.code]).to.deep.equal([403, 'shopper_merchant_mismatch'])
    })
  }

  it('is checked on every call with a key, including /v1/ping and cached reads', async () => {
    await read(publishable)
    for (const path of ['/v1/ping', PATH, '/v1/tags']) {
      expect((await read(publishable, 'nobody-knows-it', path)).status, path).to.equal(401)
    }
  })

  it('has responses and ETags of its own, which no anonymous reader gets', async () => {
    const token = await api.shopperToken()
    const own = await read(secret, token)
    const anonymous = await read(secret)
    expect(own.headers.etag).to.not.equal(anonymous.headers.etag)
    expect(own.headers['cache-control']).to.match(/^private/)
    expect(own.headers.vary).to.include('X-Storefront-Shopper-Token')
  })

  it('reports a section whose system does not know the customer', async () => {
    const { status, body } = await read(secret, await api.shopperToken({ customer: 'C-9999' }))
    expect([status, body.price, body.tax]).to.deep.equal([200, null, null])
    expect(body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['price', 'tax'])
  })
})
