import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const line = { sku: 'BP-1001', quantity: 2 }
const idOf = (path: string) => path.split('/').at(-1)!

for (const store of stores()) {
  describe(`the open carts of a shopper on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let clock = Date.now()

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => clock })
    })
    beforeEach(async () => {
      await api.db.deleteFrom('carts').execute()
      shopper = await cartShopper(api)
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    /** Creates carts one second apart, and returns their ids, newest first. */
    async function createCarts(count: number): Promise<string[]> {
      const ids: string[] = []
      for (let i = 0; i < count; i += 1) {
        clock += 1_000
        ids.unshift(idOf(await shopper.cart(line)))
      }
      return ids
    }
    const list = async (query = '') => (await shopper.ask('GET', `/v1/carts${query}`)).body
    const idsOf = (body: { data: { cart_id: string }[] }) => body.data.map(({ cart_id }) => cart_id)

    it('are listed newest first, page by page', async () => {
      const ids = await createCarts(3)
      const first = await list('?limit=2')
      expect(idsOf(first)).to.deep.equal(ids.slice(0, 2))
      expect(first.pagination).to.deep.equal({
        limit: 2,
        offset: 0,
        count: 2,
        total: 3,
        has_more: true,
        next_offset: 2,
      })
      const second = await list('?limit=2&offset=2')
      expect(idsOf(second)).to.deep.equal(ids.slice(2))
      expect(second.pagination).to.include({ count: 1, total: 3, has_more: false, next_offset: null })
      expect(idsOf(await list('?offset=99999999999'))).to.deep.equal([])
    })

    it('have their number of lines, and their total once they are priced', async () => {
      const [cart_id] = await createCarts(1)
      const { updated_at, expires_at, created_at, ...unpriced } = (await list()).data[0]
      expect(unpriced).to.deep.equal({
        cart_id,
        state: 'ACTIVE',
        version: 2,
        currency: 'JMD',
        item_count: 1,
        total: null,
        pricing: { state: 'UNPRICED', priced_at: null, expires_at: null },
      })
      const cart = await shopper.read('POST', `/v1/carts/${cart_id}/price`)
      const [item] = (await list()).data
      expect(item).to.deep.include({ total: cart.totals!.total, pricing: cart.pricing, updated_at, expires_at })
      expect(item.created_at).to.equal(created_at)
    })

    it('are not those of others, nor ordered or expired ones', async () => {
      const [ordered, kept] = await createCarts(2)
      const checkout = await shopper.ask('POST', '/v1/checkout', { cart_id: ordered })
      expect(checkout.body.order_id, checkout.text).to.be.a('string')
      await (await cartShopper(api, { customer: 'C-1003' })).cart(line)
      await (await cartShopper(api, { merchant: 'zenith' })).cart(line)
      await (await cartShopper(api, { mode: 'live' })).cart(line)
      expect(idsOf(await list())).to.deep.equal([kept])
      clock += 30 * 86_400_000
      const { data, pagination } = await list()
      expect([data, pagination.total]).to.deep.equal([[], 0])
    })

    it('need a shopper token and a secret key', async () => {
      const key = await api.key({ kind: 'secret' })
      expect((await api.request('/v1/carts', { key })).body.code).to.equal('missing_shopper_token')
      const headers = { 'x-storefront-shopper-token': await api.shopperToken() }
      const publishable = await api.request('/v1/carts', { key: await api.key(), headers })
      expect(publishable.body.code).to.equal('publishable_key_not_allowed')
    })

    it('end with the current one, the newest', async () => {
      const [newest, older] = await createCarts(2)
      await shopper.read('POST', `/v1/carts/${older}/lines`, line)
      const [current, same] = [
        await shopper.ask('GET', '/v1/carts/current'),
        await shopper.ask('GET', `/v1/carts/${newest}`),
      ]
      expect([current.status, current.text]).to.deep.equal([200, same.text])
    })

    it('have no current one when there is none', async () => {
      const { status, body } = await shopper.ask('GET', '/v1/carts/current')
      const { request_id: _, ...problem } = body
      expect([status, problem]).to.deep.equal([
        404,
        {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail: 'The shopper has no open cart. Create one: POST /v1/carts.',
          code: 'not_found',
        },
      ])
    })
  })
}
