import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { pruneExpired } from '../../../src/storage/retention/prune-expired.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const DAY_MS = 86_400_000
const line = { sku: knownSkus.inStock, quantity: 1 }

for (const store of stores()) {
  describe(`archived orders on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper

    before(async () => {
      api = await startApi({ store: await store.createMigrated() })
      shopper = await cartShopper(api)
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const checkOut = (path: string, caller = shopper) =>
      caller.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) })
    const archive = (afterDays: number) =>
      pruneExpired(api.db, Date.now() + afterDays * DAY_MS, { orderDetailsMs: 90 * DAY_MS })
    const count = async (table: 'orders' | 'carts' | 'archived_orders') =>
      (await api.db.selectFrom(table).selectAll().execute()).length

    it('are read from accounting, and their carts are never ordered again', async () => {
      const path = await shopper.cart(line)
      const { body } = await checkOut(path)
      expect(body.state).to.equal('placed')
      await archive(89)
      expect((await checkOut(path)).body.order_id, 'not archived yet').to.equal(body.order_id)
      await archive(91)
      expect([await count('orders'), await count('carts'), await count('archived_orders')]).to.deep.equal([0, 0, 1])

      const again = await checkOut(path)
      expect([again.status, again.body]).to.deep.equal([200, body])
      const withFault = { 'X-Sandbox-Fault': 'accounting=unavailable' }
      const away = await shopper.ask('POST', '/v1/checkout', { cart_id: body.cart_id }, withFault)
      expect([away.status, away.body.code]).to.deep.equal([503, 'downstream_unavailable'])
      expect([await count('orders'), await count('archived_orders')]).to.deep.equal([0, 1])
      const stranger = await cartShopper(api, { customer: 'C-1003' })
      expect((await checkOut(path, stranger)).status).to.equal(404)
      expect((await shopper.ask('GET', path)).status).to.equal(404)
      const order = await shopper.ask('GET', `/v1/orders/${body.order_id}`)
      expect([order.status, order.body.order_id, order.body.lines.length]).to.deep.equal([200, body.order_id, 1])
      const payment = await shopper.ask('GET', `/v1/checkout/${body.order_id}/payment-status`)
      expect([payment.status, payment.body.order_id]).to.deep.equal([200, body.order_id])
      const { data } = (await shopper.ask('GET', '/v1/orders')).body
      expect(data.map(({ order_id }: { order_id: string }) => order_id)).to.include(body.order_id)
      const cancelled = await shopper.ask('POST', `/v1/orders/${body.order_id}/cancel`, {})
      expect([cancelled.status, cancelled.body.status]).to.deep.equal([200, 'CANCELLED'])
    })

    it('are not those that wait for accounting, or that only this store knows', async () => {
      for (const status of ['PENDING', 'REJECTED'] as const) {
        const path = await shopper.cart(line)
        const { body } = await checkOut(path)
        const order = api.db.updateTable('orders').where('order_id', '=', body.order_id)
        await order.set({ status, leased_until: '2999-01-01T00:00:00.000Z' }).execute()
      }
      await archive(1_000)
      expect([await count('orders'), await count('archived_orders')]).to.deep.equal([2, 1])
    })

    it('are archived in slices, however many there are', async () => {
      const [template] = await api.db.selectFrom('orders').selectAll().limit(1).execute()
      const before = await count('archived_orders')
      for (let index = 0; index < 45; index++)
        await api.db
          .insertInto('orders')
          .values({ ...template!, order_id: `ord_${index}`, cart_id: `cart_${index}`, status: 'CONFIRMED' })
          .execute()
      await archive(1_000)
      expect((await count('archived_orders')) - before).to.equal(45)
    })
  })
}
