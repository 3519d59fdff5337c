import { expect } from 'chai'
import type { CartLineResult } from '../../../src/contract/cart/add-cart-lines.ts'
import { type Api, startApi } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const unknownSku = 'No product with this SKU exists. Send a sku from GET /v1/products, in the same letter case'

for (const store of stores()) {
  describe(`many lines at once on ${store.name}`, () => {
    let api: Api
    let shopper: CartShopper
    const clock = Date.now()

    before(async () => {
      api = await startApi({ store: await store.createMigrated(), now: () => clock })
      shopper = await cartShopper(api)
    })
    afterEach(() => api.clearFaults())
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const add = (path: string, lines: unknown, headers?: Record<string, string>) =>
      shopper.ask('POST', `${path}/lines`, { lines }, headers)
    const read = (path: string) => shopper.read('GET', path)

    it('have a result each, in one change of the cart', async () => {
      const path = await shopper.cart({ sku: 'BP-1002', quantity: 1 })
      const { status, body } = await add(path, [
        { sku: 'BP-1001', quantity: 2 },
        { sku: 'NO-SUCH', quantity: 1 },
        { sku: 'BP-1002', quantity: 3 },
        { sku: 'OL-1001', order_uom: 'box', order_quantity: 1 },
        { sku: 'BP-1001', quantity: 1 },
        { sku: 'BP-1004' },
        { sku: 'TE-1001', order_uom: 'bag of 100', order_quantity: 2 },
      ])
      expect(status).to.equal(200)
      const { results, ...cart } = body
      expect(cart).to.deep.equal(await read(path))
      expect(cart.version).to.equal(3)
      const lineOf = Object.fromEntries(
        cart.lines.map(({ sku, line_id }: { sku: string; line_id: string }) => [sku, line_id]),
      )
      const added = (index: number, sku: string) => ({ index, sku, status: 'ADDED', line_id: lineOf[sku], errors: [] })
      const refused = (index: number, sku: string, error: object) => ({
        index,
        sku,
        status: 'REFUSED',
        line_id: null,
        errors: [error],
      })
      const [units] = results[3].errors
      expect(results).to.deep.equal([
        added(0, 'BP-1001'),
        refused(1, 'NO-SUCH', {
          type: 'unknown_sku',
          loc: ['body', 'lines', 1, 'sku'],
          msg: unknownSku,
          input: 'NO-SUCH',
        }),
        added(2, 'BP-1002'),
        refused(3, 'OL-1001', { ...units, type: 'unknown_unit', loc: ['body', 'lines', 3, 'order_uom'], input: 'box' }),
        added(4, 'BP-1001'),
        refused(5, 'BP-1004', {
          type: 'missing',
          loc: ['body', 'lines', 5, 'quantity'],
          msg: 'Field required',
          input: {},
        }),
        added(6, 'TE-1001'),
      ])
      const quantities = cart.lines.map(({ sku, quantity }: { sku: string; quantity: number }) => [sku, quantity])
      expect(quantities).to.deep.equal([
        ['BP-1002', 4],
        ['BP-1001', 3],
        ['TE-1001', 200],
      ])
    })

    it('leave the cart as it is when none can be added', async () => {
      const path = await shopper.cart({ sku: 'BP-1001', quantity: 1 })
      const before = await read(path)
      const { status, body } = await add(path, [
        { sku: 'NO-SUCH', quantity: 1 },
        { sku: 'BP-1010', quantity: 1 },
      ])
      expect(status).to.equal(200)
      expect(body.results.map(({ status }: CartLineResult) => status)).to.deep.equal(['REFUSED', 'REFUSED'])
      expect(await read(path)).to.deep.equal(before)
    })

    it('are added until the cart is full', async () => {
      const path = await shopper.cart()
      const page = async (offset: number): Promise<{ sku: string }[]> =>
        (await shopper.ask('GET', `/v1/products?limit=200&offset=${offset}`)).body.data
      const wanted = [...(await page(0)), ...(await page(200))].map(({ sku }) => ({ sku, quantity: 1_000 }))
      const results: CartLineResult[] = [
        ...(await add(path, wanted.slice(0, 200))).body.results,
        ...(await add(path, wanted.slice(200))).body.results,
      ]
      const added = results.filter(({ status }) => status === 'ADDED')
      const full = results.filter(({ errors }) => errors[0]?.type === 'cart_full')
      expect([added.length, (await read(path)).item_count]).to.deep.equal([200, 200])
      const { index, sku } = full[0]!
      expect(full[0]!.errors).to.deep.equal([
        { type: 'cart_full', loc: ['body', 'lines', index], msg: 'A cart can hold at most 200 lines.', input: sku },
      ])
      const [same] = (await add(path, [{ sku: added[0]!.sku, quantity: 1_000 }])).body.results
      expect(same.line_id).to.equal(added[0]!.line_id)
    })

    it('are refused together when one is malformed, and nothing is added', async () => {
      const path = await shopper.cart()
      const mistakes = async (lines: unknown) => {
        const { status, body } = await add(path, lines)
        expect(status).to.equal(422)
        return body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, loc.join('.')])
      }
      const good = { sku: 'BP-1001', quantity: 1 }
      expect(await mistakes([good, { sku: 'BP-1002', quantity: 'two' }, { quantity: 0 }])).to.deep.equal([
        ['float_parsing', 'body.lines.1.quantity'],
        ['missing', 'body.lines.2.sku'],
        ['greater_than', 'body.lines.2.quantity'],
      ])
      expect(await mistakes([])).to.deep.equal([['too_short', 'body.lines']])
      expect(await mistakes(Array(201).fill(good))).to.deep.equal([['too_long', 'body.lines']])
      expect(await mistakes('BP-1001')).to.deep.equal([['list_type', 'body.lines']])
      expect((await read(path)).version).to.equal(1)
    })

    it('do not change the form of a single line, also beside a member `lines`', async () => {
      const path = await shopper.cart()
      const single = await shopper.ask('POST', `${path}/lines`, {
        sku: 'BP-1001',
        quantity: 1,
        lines: [{ sku: 'BP-1002' }],
      })
      expect([single.status, single.text]).to.deep.equal([200, (await shopper.ask('GET', path)).text])
      expect(single.headers['forecourt-hint']).to.equal(
        'The member "lines" of the body was ignored, because of the member "sku". Send only one of them.',
      )
      const { body } = await shopper.ask('POST', `${path}/lines`, { quantity: 0 })
      expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc)).to.deep.equal([
        ['body', 'sku'],
        ['body', 'quantity'],
      ])
    })

    it('get the same response again with their Idempotency-Key, and are added once', async () => {
      const path = await shopper.cart()
      const key = { 'idempotency-key': `lines ${path}`.replaceAll(' ', '-') }
      const lines = [
        { sku: 'BP-1001', quantity: 1 },
        { sku: 'NO-SUCH', quantity: 1 },
      ]
      const first = await add(path, lines, key)
      const again = await add(path, lines, key)
      expect([again.text, again.headers['idempotent-replayed']]).to.deep.equal([first.text, 'true'])
      expect((await add(path, lines.slice(1), key)).body.detail[0].type).to.equal('idempotency_key_reused')
      expect((await read(path)).lines[0]!.quantity).to.equal(1)
    })

    it('have the same results after the process that added them died', async () => {
      const path = await shopper.cart()
      const key = { 'idempotency-key': `died-${path.split('/').at(-1)}` }
      const lines = [
        { sku: 'BP-1001', quantity: 1 },
        { sku: 'NO-SUCH', quantity: 1 },
      ]
      const rows = api.db.selectFrom('idempotency_keys').select('digest')
      const earlier = new Set((await rows.execute()).map(({ digest }) => digest))
      const first = await add(path, lines, key)
      const { digest } = (await rows.execute()).find((row) => !earlier.has(row.digest))!
      const { cart_id, results } = first.body
      const added = results.map(({ sku, line_id, errors }: CartLineResult) => ({ sku, line_id, errors }))
      const applied = JSON.stringify({ cart_id, added })
      await api.db
        .updateTable('idempotency_keys')
        .set({ state: 'applied', applied, status: null, body: null, locked_until: new Date(clock).toISOString() })
        .where('digest', '=', digest)
        .execute()
      expect((await add(path, lines, key)).body).to.deep.equal(first.body)
      expect((await read(path)).lines[0]!.quantity).to.equal(1)
    })

    it('change nothing when the cart has another version, or while inventory fails', async () => {
      const path = await shopper.cart()
      const lines = [{ sku: 'BP-1050', quantity: 1 }]
      expect((await add(path, lines, { 'if-match': '"7"' })).body.code).to.equal('cart_version_mismatch')
      await api.fault('inventory', { status: 500 })
      expect((await add(path, lines)).body.code).to.equal('downstream_error')
      expect((await read(path)).version).to.equal(1)
    })
  })
}
