import { expect } from 'chai'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const lines = [
  { sku: 'BP-1001', quantity: 2 },
  { sku: 'TE-1001', order_uom: 'bag of 100', order_quantity: 3 },
]
const unknownSku = 'No product with this SKU exists. Send a sku from GET /v1/products, in the same letter case'

for (const store of stores()) {
  describe(`POST /v1/orders/:order_id/reorder on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let lateMs = 0

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => Date.now() + lateMs })
      shopper = await cartShopper(api)
    })
    afterEach(() => api.clearFaults())
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    /** Orders these lines, and returns the id of the order. */
    async function order(...wanted: object[]): Promise<string> {
      const cart_id = (await shopper.cart(...wanted)).split('/').at(-1)
      const { body, text } = await shopper.ask('POST', '/v1/checkout', { cart_id })
      expect(body.order_id, text).to.be.a('string')
      return body.order_id
    }
    const reorder = (orderId: string, body?: object, headers: Record<string, string> = {}, caller = shopper) =>
      caller.ask('POST', `/v1/orders/${orderId}/reorder`, body, headers)
    const quantitiesOf = (cart: { lines: { sku: string; quantity: number; order_quantity: number | null }[] }) =>
      cart.lines.map(({ sku, quantity, order_quantity }) => [sku, quantity, order_quantity])

    it('creates a cart with the lines of the order, in their units, without prices yet', async () => {
      const { status, headers, body } = await reorder(await order(...lines))
      expect(status).to.equal(201)
      const { results, ...cart } = body
      expect(headers.location).to.equal(`/v1/carts/${cart.cart_id}`)
      expect(cart).to.deep.equal(await shopper.read('GET', headers.location!))
      expect([cart.version, cart.pricing.state]).to.deep.equal([1, 'UNPRICED'])
      expect(quantitiesOf(cart)).to.deep.equal([
        ['BP-1001', 2, null],
        ['TE-1001', 300, 3],
      ])
      expect(results).to.deep.equal([
        { index: 0, sku: 'BP-1001', status: 'ADDED', line_id: cart.lines[0].line_id, errors: [] },
        { index: 1, sku: 'TE-1001', status: 'ADDED', line_id: cart.lines[1].line_id, errors: [] },
      ])
      expect((await shopper.ask('POST', '/v1/checkout', { cart_id: cart.cart_id })).body.order_id).to.be.a('string')
    })

    it('fills a cart of the shopper in one change, and adds to its lines', async () => {
      const order_id = await order(...lines)
      const path = await shopper.cart({ sku: 'BP-1001', quantity: 1 })
      const { status, headers, body } = await reorder(order_id, { cart_id: path.split('/').at(-1) })
      expect([status, headers.location, body.version]).to.deep.equal([200, undefined, 3])
      expect(quantitiesOf(body)).to.deep.equal([
        ['BP-1001', 3, null],
        ['TE-1001', 300, 3],
      ])
    })

    it('says which lines could not be added, and why', async () => {
      const order_id = await order(lines[0]!, { sku: 'BP-1040', quantity: 1 })
      await updateProduct(api.systems.inventory.controlAddress, 'acme', 'BP-1040', { active: false })
      lateMs += 600_000
      const { status, body } = await reorder(order_id)
      expect([status, quantitiesOf(body)]).to.deep.equal([201, [['BP-1001', 2, null]]])
      expect(body.results[1]).to.deep.equal({
        index: 1,
        sku: 'BP-1040',
        status: 'REFUSED',
        line_id: null,
        errors: [{ type: 'unknown_sku', loc: ['order', 'lines', 1, 'sku'], msg: unknownSku, input: 'BP-1040' }],
      })
    })

    it('creates one cart for an Idempotency-Key', async () => {
      const order_id = await order(...lines)
      const key = { 'idempotency-key': `again-${order_id}` }
      const first = await reorder(order_id, undefined, key)
      const second = await reorder(order_id, undefined, key)
      expect([second.status, second.text]).to.deep.equal([201, first.text])
      expect(second.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location })
    })

    it('has the same results after the process that created the cart died', async () => {
      const order_id = await order(...lines)
      const key = { 'idempotency-key': `died-${order_id}` }
      const rows = api.db.selectFrom('idempotency_keys').select('digest')
      const earlier = new Set((await rows.execute()).map(({ digest }) => digest))
      const first = await reorder(order_id, undefined, key)
      const { digest } = (await rows.execute()).find((row) => !earlier.has(row.digest))!
      const added = first.body.results.map(({ index: _, status: __, ...line }: Record<string, unknown>) => line)
      const applied = JSON.stringify({ cart_id: first.body.cart_id, added })
      const released = { status: null, body: null, locked_until: '2020-01-01T00:00:00.000Z' }
      await api.db
        .updateTable('idempotency_keys')
        .set({ state: 'applied', applied, ...released })
        .where('digest', '=', digest)
        .execute()
      const again = await reorder(order_id, undefined, key)
      expect([again.status, again.body]).to.deep.equal([201, first.body])
    })

    it('reads an order that accounting has not accepted, or does not return, from the store', async () => {
      await api.fault('accounting', { status: 503, only: ['placeOrder'] })
      const pending = await order(lines[0]!)
      expect((await reorder(pending)).body.item_count).to.equal(1)
      await api.clearFaults()
      const placed = await order(lines[0]!)
      await api.fault('accounting', { status: 500 })
      expect((await reorder(placed)).body.item_count).to.equal(1)
      const unread = await reorder('4711')
      expect([unread.status, unread.body.code]).to.deep.equal([502, 'downstream_error'])
    })

    it('is 404 for the order and for the cart of another shopper', async () => {
      const order_id = await order(...lines)
      const other = await cartShopper(api, { customer: 'C-1003' })
      const foreign = await reorder(order_id, undefined, {}, other)
      const unknown = await reorder('ord_0123456789012345678901', undefined, {}, other)
      expect([foreign.status, unknown.status]).to.deep.equal([404, 404])
      expect(foreign.body.detail)
        .to.equal(unknown.body.detail)
        .and.to.match(/^There is no such order\./)
      const cart_id = (await other.cart()).split('/').at(-1)
      const { status, body } = await reorder(order_id, { cart_id })
      expect([status, body.detail]).to.deep.equal([
        404,
        'There is no such cart. Send the cart_id of a cart that belongs to the same shopper and mode, or create one: POST /v1/carts.',
      ])
    })

    it('needs a key that may read orders and change carts', async () => {
      const headers = { 'x-storefront-shopper-token': await api.shopperToken() }
      const send = async (scope: string) => {
        const key = await api.key({ kind: 'secret', scopes: [scope] })
        const { status, body } = await api.request('/v1/orders/4711/reorder', { key, method: 'POST', headers })
        return [status, body.detail]
      }
      const refusal = (scope: string) => [
        403,
        `The API key does not have the scope ${scope}, which this call requires. Issue a key that has it: forecourt keys issue --scopes.`,
      ]
      expect(await send('storefront:orders')).to.deep.equal(refusal('storefront:cart'))
      expect(await send('storefront:cart')).to.deep.equal(refusal('storefront:orders'))
    })
  })
}
