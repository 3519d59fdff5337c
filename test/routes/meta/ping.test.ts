import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('GET /v1/ping', () => {
  let api: Api

  before(async () => {
    api = await startApi()
  })
  after(() => api[Symbol.asyncDispose]())

  const catalogAndAuth = ['storefront:catalog', 'storefront:auth']
  const secret = [
    ...catalogAndAuth,
    ...['customer', 'cart', 'checkout', 'orders', 'invoices', 'webhooks'].map((scope) => `storefront:${scope}`),
  ]

  for (const kind of ['publishable', 'secret'] as const) {
    for (const mode of ['sandbox', 'live'] as const) {
      it(`returns the data of a ${kind} ${mode} key, but not the key`, async () => {
        const { key, record } = await api.issueKey({ merchant: 'zenith', kind, mode, rate: 77 })
        const { body, text, headers } = await api.request('/v1/ping', { key })
        expect(body).to.deep.equal({
          tenant_id: 'zenith',
          key_id: record.key_id,
          key_kind: kind.toUpperCase(),
          scopes: kind === 'secret' ? secret : catalogAndAuth,
          mode,
          rate_limit_per_minute: 77,
        })
        expect(text).to.not.include(key)
        expect(headers['cache-control']).to.equal('private, no-store')
      })
    }
  }

  it('accepts a key without any scope', async () => {
    const { status, body } = await api.request('/v1/ping', { key: await api.key({ scopes: [] }) })
    expect([status, body.scopes]).to.deep.equal([200, []])
  })
})
