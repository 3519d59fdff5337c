import { expect } from 'chai'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../../src/sandbox/control/pricing-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'

describe('a cart of a merchant with a mirror', () => {
  let api: Api
  let key: string
  let headers: Record<string, string>

  before(async () => {
    api = await startApi({ mirror: { maxAgeMs: 3_600_000 } })
    key = await api.key({ kind: 'secret' })
    headers = { 'X-Storefront-Shopper-Token': await api.shopperToken() }
  })
  after(() => api?.[Symbol.asyncDispose]())

  const request = (path: string, body?: unknown) =>
    api.request(path, { key, headers, method: 'POST', ...(body !== undefined && { body }) })
  const createCart = async () => (await request('/v1/carts')).body.cart_id as string

  it('takes a product that inventory has and the mirror does not have yet', async () => {
    const { controlAddress } = api.systems.inventory
    await updateProduct(controlAddress, 'acme', 'BP-1010', { active: false })
    await api.fillMirror()
    await updateProduct(controlAddress, 'acme', 'BP-1010', { active: true })
    expect((await api.request('/v1/products/BP-1010', { key })).status).to.equal(404)
    const cart = await createCart()
    api.mirrorOf().products = () => [null]
    const { status, body } = await request(`/v1/carts/${cart}/lines`, { sku: 'BP-1020', quantity: 1 })
    expect([status, body.lines[0].sku, body.warnings]).to.deep.equal([200, 'BP-1020', []])
    const unknown = await request(`/v1/carts/${cart}/lines`, { sku: 'no-such-sku', quantity: 1 })
    expect([unknown.status, unknown.body.detail[0].type]).to.deep.equal([422, 'unknown_sku'])
  })

  it('is priced by pricing, whatever the mirror says', async () => {
    const cart = await createCart()
    await request(`/v1/carts/${cart}/lines`, { sku: 'BP-1001', quantity: 1 })
    await setPrice(api.systems.pricing.controlAddress, 'acme', 'BP-1001', '77.70')
    const { body } = await request(`/v1/carts/${cart}/price`)
    expect(body.lines[0].list_unit_price.amount).to.equal('77.70')
  })
})
