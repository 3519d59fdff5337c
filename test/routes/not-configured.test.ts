import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'

describe('a merchant whose back office lacks a system', () => {
  let api: Api

  before(async () => {
    api = await startApi({
      merchants: (of) => {
        const { inventory } = of('acme-live')
        return [
          { merchant: 'shelves', live: { inventory: inventory! }, sandbox: {} },
          { merchant: 'nothing', live: {}, sandbox: {} },
        ]
      },
    })
  })
  after(() => api[Symbol.asyncDispose]())

  it('gets products without price and tax, with the reason', async () => {
    const key = await api.key({ merchant: 'shelves', mode: 'live' })
    const { body, headers } = await api.request('/v1/products/BP-1001', { key })
    expect([body.sku, body.price, body.tax, body.availability.band]).to.deep.equal(['BP-1001', null, null, 'IN_STOCK'])
    const detail = 'The back office of this merchant does not offer this section.'
    expect(body.errors).to.deep.equal([
      { field: 'price', code: 'not_configured', detail },
      { field: 'tax', code: 'not_configured', detail },
    ])
    expect(headers['forecourt-complete']).to.equal('false')
  })

  for (const path of ['/v1/products', '/v1/categories', '/v1/tags', '/v1/vehicles/years']) {
    it(`gets an empty ${path} without a count, without inventory`, async () => {
      const key = await api.key({ merchant: 'nothing', mode: 'live' })
      const { status, body } = await api.request(path, { key })
      expect([status, body.data]).to.deep.equal([200, []])
      expect(body.errors[0]).to.include({ field: 'data', code: 'not_configured' })
      if (body.pagination) expect(body.pagination.total).to.equal(null)
    })
  }

  it('has no product without inventory', async () => {
    const key = await api.key({ merchant: 'nothing', mode: 'live' })
    expect((await api.request('/v1/products/BP-1001', { key })).status).to.equal(404)
  })

  it('never calls its live systems with a sandbox key', async () => {
    const before = { ...api.systems.inventory.calls }
    const key = await api.key({ merchant: 'shelves', mode: 'sandbox' })
    expect((await api.request('/v1/products', { key })).body.data).to.deep.equal([])
    expect(api.systems.inventory.calls).to.deep.equal(before)
  })
})
