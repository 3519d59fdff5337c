import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { newEmail, PASSWORD, registrationOf, shopperAccountCalls } from '../../support/shopper-account-calls.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const line = { sku: 'BP-1001', quantity: 1 }
const site = { line1: '7 Site Road', city: 'Ocho Rios', country: 'JM' }
const siteAsRead = {
  line1: '7 Site Road',
  line2: null,
  city: 'Ocho Rios',
  region: null,
  postal_code: null,
  country: 'JM',
}

for (const store of stores()) {
  describe(`the addresses of earlier orders on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let now = Date.now()

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => now })
    })
    beforeEach(async () => {
      await api.db.deleteFrom('orders').execute()
      shopper = await cartShopper(api)
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
    const addresses = async (caller = shopper): Promise<any[]> => (await caller.ask('GET', '/v1/me')).body.addresses
    const used = async (caller = shopper) => (await addresses(caller)).filter(({ source }) => source === 'ORDER')
    function order(more: object, caller = shopper): Promise<string> {
      now += 1_000
      return caller.order(line, more)
    }

    it('are in /v1/me after those of the account, and checkout accepts their ids', async () => {
      const own = await addresses()
      expect(own.map(({ source }) => source)).to.deep.equal(own.map(() => 'ACCOUNT'))
      await order({ shipping_address: site })
      const [address] = await used()
      expect(await addresses()).to.deep.equal([...own, address])
      const { address_id, ...rest } = address
      expect(address_id).to.match(/^used_[0-9a-f]{24}$/)
      expect(rest).to.deep.equal({ ...siteAsRead, is_default: false, source: 'ORDER' })
      const order_id = await order({ shipping_address_id: address_id })
      expect((await shopper.ask('GET', `/v1/orders/${order_id}`)).body.shipping_address).to.deep.equal(siteAsRead)
      expect(await used()).to.deep.equal([address])
    })

    it('are each there once, the last used first, and at most ten', async () => {
      await order({ shipping_address: { ...site, line1: ' 7 SITE  road' } })
      for (let at = 1; at <= 10; at += 1) await order({ shipping_address: { ...site, line1: `${at} Site Road` } })
      const lines = (await used()).map(({ line1 }) => line1)
      expect(lines).to.deep.equal([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => `${number} Site Road`))
    })

    it('can be chosen after later orders and a cancellation, because a page may still show them', async () => {
      const first = await order({ shipping_address: site })
      const [{ address_id }] = await used()
      for (let at = 1; at <= 10; at += 1) await order({ shipping_address: { ...site, line1: `${at} Shop Road` } })
      expect((await used()).map((address) => address.address_id)).to.not.include(address_id)
      expect((await shopper.ask('POST', `/v1/orders/${first}/cancel`, {})).status).to.equal(200)
      const order_id = await order({ shipping_address_id: address_id })
      expect((await shopper.ask('GET', `/v1/orders/${order_id}`)).body.shipping_address).to.deep.equal(siteAsRead)
    })

    it('leave out those of the account', async () => {
      const [own] = await addresses()
      const { address_id: _, is_default: __, source: ___, ...same } = own
      const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== null))
      await order({ shipping_address: given })
      expect(await used()).to.deep.equal([])
    })

    it('are those of the shopper alone', async () => {
      await order({ shipping_address: site })
      const [{ address_id }] = await used()
      const other = await cartShopper(api, { customer: 'C-1003' })
      expect(await used(other)).to.deep.equal([])
      expect(await used(await cartShopper(api, { mode: 'live' }))).to.deep.equal([])
      const cart_id = (await other.cart(line)).split('/').at(-1)
      const { status, body } = await other.ask('POST', '/v1/checkout', { cart_id, shipping_address_id: address_id })
      expect([status, body.detail[0].type]).to.deep.equal([422, 'unknown_address'])
    })

    it('are in the session of a sign-in too', async () => {
      const key = await api.key({ kind: 'secret' })
      const call = shopperAccountCalls(api, key)
      const email = newEmail()
      const { body: registered } = await call('', registrationOf(email))
      expect(registered.customer.addresses).to.deep.equal([])
      const headers = { 'x-storefront-shopper-token': registered.shopper_token }
      const send = (path: string, body?: object) => api.request(path, { key, method: 'POST', headers, body })
      const { cart_id } = (await send('/v1/carts')).body
      await send(`/v1/carts/${cart_id}/lines`, line)
      const checkout = await send('/v1/checkout', {
        cart_id,
        payment_method: 'CASH_ON_DELIVERY',
        shipping_address: site,
      })
      expect(checkout.body.state, checkout.text).to.equal('placed')
      const { body: session } = await call('/login', { email, password: PASSWORD })
      const { address_id, ...address } = session.customer.addresses[0]
      expect(address_id).to.match(/^used_/)
      expect(address).to.deep.equal({ ...siteAsRead, is_default: false, source: 'ORDER' })
    })
  })
}
