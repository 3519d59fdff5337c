import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { bindCartToOrder, convertCart, unbindCart } from '../../../src/storage/commerce/carts.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const DAY_MS = 86_400_000
const line = { sku: knownSkus.inStock, quantity: 1 }

for (const store of stores())
  describeWithAndWithoutMirror(`a cart, on ${store.name}`, (mirror) => {
    let api: Api
    let shopper: CartShopper
    let lateMs = 0

    before(async () => {
      await store.open()
      api = await startApi({ mirror, store: store.url(), now: () => Date.now() + lateMs })
      await api.fillMirror()
      shopper = await cartShopper(api)
    })
    afterEach(async () => {
      lateMs = 0
      await api.clearFaults()
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const cartId = (path: string) => path.split('/').at(-1)!
    const codeOf = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
      const reply = await shopper.ask(method, path, body, headers)
      return [reply.status, reply.body.code]
    }

    it('is new and empty', async () => {
      const made = await shopper.ask('POST', '/v1/carts')
      const { cart_id, created_at, updated_at, expires_at, ...rest } = made.body
      expect([made.status, made.headers.location]).to.deep.equal([201, `/v1/carts/${cart_id}`])
      expect(made.headers['cache-control']).to.equal('private, no-store')
      expect(Date.parse(expires_at) - Date.parse(created_at)).to.equal(30 * DAY_MS)
      expect(updated_at).to.equal(created_at)
      expect(rest).to.deep.equal({
        state: 'ACTIVE',
        version: 1,
        currency: 'JMD',
        lines: [],
        item_count: 0,
        promotions: [],
        totals: null,
        delivery: null,
        pricing: { state: 'UNPRICED', priced_at: null, expires_at: null },
        credit: null,
        warnings: [],
        order_id: null,
        errors: [],
      })
      expect((await shopper.read('POST', '/v1/carts')).cart_id).to.not.equal(cart_id)
      expect(await shopper.read('GET', `/v1/carts/${cart_id}`)).to.deep.equal(made.body)
    })

    it('is 404 for anybody else, like a cart that does not exist', async () => {
      const path = await shopper.cart(line)
      const problemAt = async (caller: CartShopper, method: string, at: string, body?: unknown) => {
        const { status, body: answered } = await caller.ask(method, at, body)
        return { status, ...answered, request_id: '' }
      }
      const absent = await problemAt(shopper, 'GET', '/v1/carts/cart_0000000000000000000000')
      expect(absent).to.include({ status: 404, code: 'not_found' })
      const others = [{ customer: 'C-1002' }, { merchant: 'zenith' }, { mode: 'live' as const }]
      for (const session of others) {
        const other = await cartShopper(api, session)
        for (const [method, at, body] of [
          ['GET', path],
          ['POST', `${path}/lines`, line],
          ['POST', `${path}/price`],
          ['POST', `${path}/promotions`, { code: 'WELCOME10' }],
          ['DELETE', `${path}/promotions/WELCOME10`],
          ['PATCH', `${path}/lines/x`, { quantity: 1 }],
          ['DELETE', `${path}/lines/x`],
        ] as const) {
          expect(await problemAt(other, method, at, body), `${method} ${at}`).to.deep.equal(absent)
        }
      }
      for (const odd of ['%00', 'cart_', '..%2F', 'x'.repeat(3_000)])
        expect((await shopper.ask('GET', `/v1/carts/${odd}`)).status).to.equal(404)
    })

    it('requires a shopper, and a secret key with the scope', async () => {
      const secret = await api.key({ kind: 'secret' })
      const narrow = await api.key({ kind: 'secret', scopes: ['storefront:catalog'] })
      const asked = async (key: string) => (await api.request('/v1/carts', { key, method: 'POST' })).body.code
      expect(await asked(secret)).to.equal('missing_shopper_token')
      expect(await asked(narrow)).to.equal('insufficient_scope')
      expect(await asked(await api.key())).to.be.oneOf(['publishable_key_not_allowed', 'insufficient_scope'])
    })

    it('increases its version by one with each change, and with nothing else', async () => {
      const path = await shopper.cart(line)
      const [first] = (await shopper.read('GET', path)).lines
      expect((await shopper.read('PATCH', `${path}/lines/${first!.line_id}`, { quantity: 3 })).version).to.equal(3)
      expect((await shopper.read('POST', `${path}/price`)).version).to.equal(3)
      expect((await shopper.read('POST', `${path}/promotions`, { code: 'NOPE' })).version).to.equal(3)
      expect((await shopper.read('DELETE', `${path}/lines/${first!.line_id}`)).version).to.equal(4)
    })

    it('changes only at the version in If-Match', async () => {
      const path = await shopper.cart(line)
      for (const wrong of ['"1"', '3', 'W/"1"', '"1", "3"', 'x', '""'])
        expect(await codeOf('POST', `${path}/lines`, line, { 'if-match': wrong }), wrong).to.deep.equal([
          412,
          'cart_version_mismatch',
        ])
      const right = ['"2"', '3', '"1", "4"', '*']
      for (const [at, tag] of right.entries()) {
        const { body } = await shopper.ask('POST', `${path}/lines`, line, { 'if-match': tag })
        expect(body.version, tag).to.equal(at + 3)
      }
      const removing = `${path}/lines/${(await shopper.read('GET', path)).lines[0]!.line_id}`
      for (const [method, at, body] of [
        ['PATCH', removing, { quantity: 1 }],
        ['DELETE', removing],
        ['POST', `${path}/price`],
        ['POST', `${path}/promotions`, { code: 'WELCOME10' }],
        ['DELETE', `${path}/promotions/WELCOME10`],
      ] as const)
        expect(await codeOf(method, at, body, { 'if-match': '"1"' }), at).to.deep.equal([412, 'cart_version_mismatch'])
    })

    it('expires thirty days after its last change', async () => {
      const path = await shopper.cart(line)
      lateMs = 29 * DAY_MS
      await shopper.read('POST', `${path}/lines`, line)
      lateMs = 58 * DAY_MS
      expect((await shopper.read('GET', path)).state).to.equal('ACTIVE')
      lateMs = 60 * DAY_MS
      expect(await shopper.read('GET', path)).to.include({ state: 'EXPIRED', version: 3 })
      expect(await codeOf('POST', `${path}/lines`, line)).to.deep.equal([410, 'cart_expired'])
      expect(await codeOf('POST', `${path}/price`)).to.deep.equal([410, 'cart_expired'])
    })

    it('rejects changes during and after checkout', async () => {
      const path = await shopper.cart(line)
      const { version } = await shopper.read('GET', path)
      expect(await bindCartToOrder(api.db, cartId(path), version - 1, 'ord_1')).to.equal(false)
      expect(await bindCartToOrder(api.db, cartId(path), version, 'ord_1')).to.equal(true)
      expect(await bindCartToOrder(api.db, cartId(path), version, 'ord_2')).to.equal(false)
      expect(await codeOf('POST', `${path}/lines`, line)).to.deep.equal([409, 'cart_converted'])
      expect(await shopper.read('GET', path)).to.include({ state: 'ACTIVE', order_id: null })
      await unbindCart(api.db, cartId(path), 'ord_1')
      await shopper.read('POST', `${path}/lines`, line)
      await shopper.read('POST', `${path}/price`)
      expect(await bindCartToOrder(api.db, cartId(path), version + 1, 'ord_3')).to.equal(true)
      await convertCart(api.db, cartId(path), 'ord_3', new Date().toISOString())
      const { lines } = await shopper.read('GET', path)
      const lineOf = `${path}/lines/${lines![0]!.line_id}`
      for (const [method, at, body] of [
        ['POST', `${path}/lines`, line],
        ['PATCH', lineOf, { quantity: 1 }],
        ['DELETE', lineOf],
        ['POST', `${path}/promotions`, { code: 'ANY' }],
        ['POST', `${path}/price`],
        ['GET', `${path}/delivery-options`],
      ] as const) {
        const refused = await shopper.ask(method, at, body)
        expect([refused.status, refused.body.code, refused.body.order_id], `${method} ${at}`).to.deep.equal([
          409,
          'cart_converted',
          'ord_3',
        ])
      }
      lateMs = 60 * DAY_MS
      const converted = await shopper.read('GET', path)
      expect(converted).to.include({ state: 'CONVERTED', order_id: 'ord_3' })
      expect(converted.totals, 'what was ordered is still shown').to.not.equal(null)
    })

    it('and its lines are created once for one Idempotency-Key', async () => {
      const create = () => shopper.ask('POST', '/v1/carts', undefined, { 'idempotency-key': 'one-cart' })
      const [made, again] = [await create(), await create()]
      expect([again.status, again.text, again.headers.location]).to.deep.equal([201, made.text, made.headers.location])
      const path = String(made.headers.location)
      const add = (key: string) => shopper.ask('POST', `${path}/lines`, line, { 'idempotency-key': key })
      await Promise.all([add('first'), add('second')])
      expect((await add('first')).headers['idempotent-replayed']).to.equal('true')
      expect((await shopper.read('GET', path)).lines[0]).to.include({ quantity: 2 })
      const other = { ...line, quantity: 9 }
      const reused = await shopper.ask('POST', `${path}/lines`, other, { 'idempotency-key': 'first' })
      expect([reused.status, reused.body.detail[0].type]).to.deep.equal([422, 'idempotency_key_reused'])
    })

    it('loses no line with twenty concurrent writers', async () => {
      const path = await shopper.cart()
      const skus = Array.from({ length: 20 }, (_, at) => `BP-10${String(at + 11).padStart(2, '0')}`)
      const replies = await Promise.all(skus.map((sku) => shopper.ask('POST', `${path}/lines`, { sku, quantity: 1 })))
      expect(replies.map(({ status }) => status)).to.deep.equal(skus.map(() => 200))
      const cart = await shopper.read('GET', path)
      expect(cart.lines.map(({ sku }) => sku).sort()).to.deep.equal(skus)
      expect(cart.version).to.equal(21)
      await Promise.all(skus.map(() => shopper.read('POST', `${path}/lines`, line)))
      const merged = (await shopper.read('GET', path)).lines.find(({ sku }) => sku === line.sku)
      expect(merged!.quantity).to.equal(20)
    })

    it('keeps its lines and their names while inventory fails, and reports it', async () => {
      const path = await shopper.cart({ sku: 'BP-1040', quantity: 2 })
      const healthy = await shopper.read('GET', path)
      const asked = { 'x-sandbox-fault': 'inventory=unavailable' }
      const { status, body, headers } = await shopper.ask('GET', path, undefined, asked)
      expect(status).to.equal(200)
      expect(headers['forecourt-complete']).to.equal('false')
      expect(body.lines[0]).to.include({ name: healthy.lines[0]!.name, thumb_url: null, band: null, quantity: 2 })
      expect(body.errors.map(({ field, code }: Record<string, string>) => [field, code])).to.deep.equal([
        ['lines', 'downstream_unavailable'],
        ['availability', 'downstream_unavailable'],
      ])
    })
  })
