import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { releaseDeadHolders } from '../../../src/storage/release-dead-holders.ts'
import { type CartShopper, cartShopper } from '../../routes/carts/cart-shopper-client.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { type FaultProxy, type ProxyRoute, startFaultProxy } from '../../support/fault-proxy.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const line = { sku: knownSkus.inStock, quantity: 1 }

for (const store of stores()) {
  describe(`Idempotency-Key on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    let clock = Date.now()
    let between: FaultProxy
    /** The proxy before the inventory of the merchant `held`. */
    let inventory: ProxyRoute

    before(async () => {
      const url = await store.createMigrated()
      between = await startFaultProxy()
      inventory = between.createRoute()
      api = await startApi({
        store: url,
        now: () => clock,
        merchants: (of) => {
          const { inventory: inventorySettings, ...others } = of('acme')
          const sandbox = {
            ...others,
            inventory: { ...inventorySettings!, address: inventory.addressFor(inventorySettings!.address) },
          }
          return [{ merchant: 'held', live: {}, sandbox }]
        },
      })
      shopper = await cartShopper(api)
    })
    beforeEach(() => {
      clock = Date.now()
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await between[Symbol.asyncDispose]()
      await store.close()
    })
    afterEach(() => api.clearFaults())

    const add = (path: string, key: string, body: object = line, caller = shopper) =>
      caller.ask('POST', `${path}/lines`, body, { 'idempotency-key': key })
    const checkOut = (path: string, key: string, caller = shopper) =>
      caller.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) }, { 'idempotency-key': key })
    const quantitiesIn = async (path: string) => (await shopper.read('GET', path)).lines.map(({ quantity }) => quantity)
    const rows = () => api.db.selectFrom('idempotency_keys').selectAll().orderBy('created_at', 'desc').execute()

    it('returns the first response again, byte for byte, with its Location', async () => {
      const [first, second] = [
        await shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': 'new-cart' }),
        await shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': '"new-cart"' }),
      ]
      expect(first.status).to.equal(201)
      expect(first.headers).to.not.have.property('idempotent-replayed')
      expect(second.headers).to.include({ 'idempotent-replayed': 'true', location: first.headers.location })
      expect([second.status, second.text]).to.deep.equal([201, first.text])
      const path = first.headers.location!
      const added = await add(path, 'a')
      await add(path, 'b')
      expect((await add(path, 'a')).text).to.equal(added.text)
      expect(await quantitiesIn(path)).to.deep.equal([2])
    })

    it('returns the same checkout result after the order has changed', async () => {
      const path = await shopper.cart(line)
      const first = await checkOut(path, 'order')
      await shopper.ask('POST', `/v1/orders/${first.body.order_id}/cancel`, {})
      const again = await checkOut(path, 'order')
      expect([again.status, again.text]).to.deep.equal([200, first.text])
      expect(again.headers['idempotent-replayed']).to.equal('true')
    })

    it('rejects a key that was sent with another request', async () => {
      const path = await shopper.cart()
      await add(path, 'mine')
      const other = await add(path, 'mine', { ...line, quantity: 2 })
      expect(other.status).to.equal(422)
      expect(other.body.detail).to.deep.equal([
        {
          type: 'idempotency_key_reused',
          loc: ['header', 'Idempotency-Key'],
          msg: 'This Idempotency-Key was sent before with another request. Send a new key for this one',
          input: 'mine',
        },
      ])
      const same = await add(path, 'mine', { quantity: 1, unknown: true, sku: line.sku })
      expect(same.headers['idempotent-replayed']).to.equal('true')
      expect(await quantitiesIn(path)).to.deep.equal([1])
    })

    it('is in flight until the response', async () => {
      const caller = await cartShopper(api, { merchant: 'held' })
      const path = await caller.cart()
      inventory.setPlan(() => 'hold')
      const replies: Reply[] = []
      const requests = [1, 2, 3].map(async () => void replies.push(await add(path, 'thrice', line, caller)))
      await until('all but one are answered', () => replies.length === 2 && inventory.heldCount > 0)
      for (const { status, body, headers } of replies) {
        expect([status, body.code]).to.deep.equal([409, 'idempotency_in_flight'])
        expect(headers['retry-after']).to.equal('1')
      }
      inventory.setPlan()
      await inventory.release()
      await Promise.all(requests)
      expect([replies[2]!.status, replies[2]!.body.item_count]).to.deep.equal([200, 1])
    })

    it('is separate for each customer and route', async () => {
      const other = await cartShopper(api, { customer: 'C-1003' })
      const [ownCart, otherCart] = [await shopper.cart(line), await other.cart(line)]
      const [first, second] = [await checkOut(ownCart, 'shared'), await checkOut(otherCart, 'shared', other)]
      expect(second.body.state).to.equal('placed')
      expect(second.body.order_id).to.not.equal(first.body.order_id)
      expect((await checkOut(ownCart, 'shared', other)).status).to.equal(422)
      const cart = await shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': 'shared' })
      expect([cart.status, cart.headers['idempotent-replayed']]).to.deep.equal([201, undefined])
    })

    const malformedKeys = [
      ['an empty key', ''],
      ['256 characters', 'k'.repeat(256)],
      ['a space', 'a b'],
      ['an open quote', '"abc'],
      ['nothing in quotes', '""'],
      ['what is not ASCII', 'cl\u00e9'],
    ] as const
    it('rejects malformed keys', async () => {
      for (const [what, key] of malformedKeys) {
        const { status, body } = await shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': key })
        expect(status, what).to.equal(422)
        expect(body.detail[0].loc, what).to.deep.equal(['header', 'Idempotency-Key'])
      }
    })

    it('accepts 255 characters', async () => {
      const key = `!${'~'.repeat(254)}`
      expect((await shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': key })).status).to.equal(201)
    })

    it('is free again after a refused request, also for another one', async () => {
      const unknown = { cart_id: 'no-such-cart' }
      const send = (body: object) => shopper.ask('POST', '/v1/checkout', body, { 'idempotency-key': 'refused' })
      expect((await send(unknown)).status).to.equal(404)
      const empty = await shopper.cart()
      expect((await checkOut(empty, 'refused')).body.code).to.equal('cart_empty')
      await add(empty, 'line')
      expect((await checkOut(empty, 'refused')).body.state).to.equal('placed')
      const path = await shopper.cart(line)
      await api.fault('pricing', { status: 500 })
      expect((await checkOut(path, 'passing')).status).to.equal(502)
      await api.clearFaults()
      expect((await checkOut(path, 'passing')).body.state).to.equal('placed')
      expect((await add(path, 'invalid', { sku: '' })).status).to.equal(422)
      expect((await add(path, 'invalid')).body.code).to.equal('cart_converted')
      expect((await rows()).filter(({ state }) => state !== 'done')).to.deep.equal([])
    })

    it('still replays the problem that an earlier release has stored', async () => {
      const path = await shopper.cart()
      await add(path, 'stored')
      const { digest } = (await rows())[0]!
      const problem =
        '{"type":"about:blank","title":"Conflict","status":409,"detail":"Full.","code":"cart_full","request_id":"r"}'
      const body = JSON.stringify({ body: problem, headers: {} })
      await api.db.updateTable('idempotency_keys').set({ status: 409, body }).where('digest', '=', digest).execute()
      expect((await add(path, 'stored')).text).to.equal(problem)
    })

    it('does not store the error of a cart that is being checked out, which is temporary', async () => {
      const path = await shopper.cart(line)
      const cart = api.db.updateTable('carts').where('cart_id', '=', path.split('/').at(-1)!)
      await cart.set({ order_id: 'ord_1' }).execute()
      const first = await add(path, 'bound')
      expect([first.status, first.body.code, first.headers['retry-after']]).to.deep.equal([409, 'cart_converted', '1'])
      await cart.set({ order_id: null }).execute()
      expect((await add(path, 'bound')).status).to.equal(200)
      expect(await quantitiesIn(path)).to.deep.equal([2])
    })

    it('continues the request of a process that died, and does nothing twice', async () => {
      const path = await shopper.cart()
      const first = await add(path, 'died')
      const applied = JSON.stringify({ cart_id: path.split('/').at(-1) })
      const { digest } = (await rows())[0]!
      const row = api.db.updateTable('idempotency_keys').where('digest', '=', digest)
      const died = { status: null, body: null, locked_until: new Date(clock + 15_000).toISOString() }
      await row.set({ ...died, state: 'applied', applied }).execute()
      expect((await add(path, 'died')).body.code).to.equal('idempotency_in_flight')
      clock += 15_001
      expect((await add(path, 'died')).body.lines).to.deep.equal(first.body.lines)
      expect(await quantitiesIn(path)).to.deep.equal([1])
      await row
        .set({ ...died, state: 'in_flight', applied: null, locked_until: new Date(clock).toISOString() })
        .execute()
      expect((await add(path, 'died')).status).to.equal(200)
      expect(await quantitiesIn(path)).to.deep.equal([2])
    })

    it('stays with a slow request, whatever the clock says', async () => {
      const caller = await cartShopper(api, { merchant: 'held' })
      const path = await caller.cart()
      inventory.setPlan(() => 'hold')
      const other = { sku: 'BP-1002', quantity: 1 }
      const slow = add(path, 'slow', other, caller)
      await until('the request waits for the inventory', () => inventory.heldCount > 0)
      clock += 3_600_000
      expect((await add(path, 'slow', other, caller)).body.code).to.equal('idempotency_in_flight')
      inventory.setPlan()
      await inventory.release()
      const first = await slow
      expect((await add(path, 'slow', other, caller)).text).to.equal(first.text)
    })

    it('is released by a server that starts after the one that held it has died', async () => {
      const held = { ...(await rows())[0]!, digest: 'dead', holder: 'dead', status: null, body: null }
      const until = new Date(clock + 5_000).toISOString()
      await api.db
        .insertInto('idempotency_keys')
        .values({ ...held, state: 'in_flight', locked_until: until })
        .execute()
      await releaseDeadHolders(api.db, new Date(clock).toISOString())
      const row = api.db.selectFrom('idempotency_keys').selectAll().where('digest', '=', 'dead')
      expect((await row.executeTakeFirstOrThrow()).locked_until).to.equal(new Date(clock).toISOString())
    })

    it('expires after seven days', async () => {
      const path = await shopper.cart()
      await add(path, 'old')
      clock += 7 * 86_400_000 + 1
      expect((await add(path, 'old')).headers).to.not.have.property('idempotent-replayed')
      expect(await quantitiesIn(path)).to.deep.equal([2])
    })

    it('completes the request when the client disconnects, and the retry gets the response', async () => {
      const path = await shopper.cart(line)
      await api.fault('accounting', { late_ms: 150, only: ['placeOrder'] })
      const leaving = new AbortController()
      const key = await api.key({ kind: 'secret' })
      const token = await api.shopperToken()
      const cartId = path.split('/').at(-1)
      const headers = { authorization: `Bearer ${key}`, 'x-storefront-shopper-token': token, 'idempotency-key': 'left' }
      const body = JSON.stringify({ cart_id: cartId })
      const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
      const abandoned = fetch(`${api.address}/v1/checkout`, { ...sent, signal: leaving.signal }).catch(() => null)
      const stored = () => api.db.selectFrom('orders').selectAll().where('cart_id', '=', cartId!).executeTakeFirst()
      await until('the ledger is asked', async () => (await stored()) !== undefined)
      leaving.abort()
      await abandoned
      await until('it is ordered', async () => (await stored())?.status === 'CONFIRMED')
      const replayed = await checkOut(path, 'left')
      expect(replayed.body.state).to.equal('placed')
      expect(replayed.headers['idempotent-replayed']).to.equal('true')
    })
  })
}
