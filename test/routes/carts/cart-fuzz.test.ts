import { expect } from 'chai'
import fc from 'fast-check'
import { type Api, startApi } from '../../support/api.ts'
import { codePoint } from '../../support/code-point.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { stores } from '../../support/stores.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

const RUNS = 150
/** The inputs are the same as without a mirror. */
const RUNS_WITH_MIRROR = 50
const anything = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 140 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.object({ maxDepth: 2 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '__proto__', '1e999', 'NaN', '-0', '0.1', '9'.repeat(400), 5e-324, -0),
)
const sku = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('BP-1001', 'TE-1001', 'OL-1001', 'BP-1009') }, anything)
const number = fc.oneof(
  fc.integer({ min: 1, max: 999_999 }),
  fc.double({ min: 0, max: 1_000_000, noNaN: true }),
  fc.integer({ min: 1, max: 5_000 }).map((thousandths) => thousandths / 1_000),
  anything,
)
const uom = fc.oneof(fc.constantFrom('each', 'set', 'litre', 'bag of 100', 'can of 4 l', 'carton of 1000'), anything)
const amounts = { quantity: number, order_uom: uom, order_quantity: number }
const lineIn = fc.record({ sku, ...amounts, tenant_id: anything, price: anything }, { requiredKeys: ['sku'] })
const lineUpdate = fc.record({ ...amounts, sku: anything }, { requiredKeys: [] })
const code = fc.oneof(fc.constantFrom('WELCOME10', 'SOLO12', 'EASTER25', 'brakes1500'), anything)
const promotion = fc.record({ code, discount: anything }, { requiredKeys: [] })
const piece = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%00', '..', '%2F', '%ff', 'line_x', 'WELCOME10'),
)

for (const store of stores())
  describeWithAndWithoutMirror(`random input to a cart on ${store.name}`, (mirror) => {
    let api: Api
    let shopper: CartShopper
    let path: string

    before(async () => {
      await store.open()
      api = await startApi({ mirror, store: store.url() })
      await api.fillMirror()
      shopper = await cartShopper(api)
    })
    beforeEach(async () => {
      path = await shopper.cart({ sku: 'TE-1001', quantity: 100 }, { sku: 'OL-1001', quantity: 4 })
    })
    afterEach(async () => {
      const { lines } = await shopper.read('POST', `${path}/price`)
      for (const line of lines) {
        expect(line.quantity).to.be.within(0.001, 999_999)
        expect(Number((line.quantity * 1_000).toFixed(6)) % 1).to.equal(0)
      }
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    const hasStatus = <T>(
      sent: fc.Arbitrary<T>,
      ask: (body: T) => ReturnType<CartShopper['ask']>,
      statuses: number[],
    ) =>
      fc.assert(
        fc.asyncProperty(sent, async (body) => {
          const { status, text } = await ask(body)
          expect(status, `${JSON.stringify(body)}\n${text}`).to.be.oneOf(statuses)
        }),
        { numRuns: mirror ? RUNS_WITH_MIRROR : RUNS },
      )

    it('adds a line or is rejected', async () => {
      await hasStatus(lineIn, (body) => shopper.ask('POST', `${path}/lines`, body), [200, 422])
    })

    it('changes a line or is rejected', async () => {
      const { lines } = await shopper.read('GET', path)
      const at = `${path}/lines/${lines[0]!.line_id}`
      await hasStatus(lineUpdate, (body) => shopper.ask('PATCH', at, body), [200, 422])
    })

    it('adds a promotion or is rejected', async () => {
      await hasStatus(promotion, (body) => shopper.ask('POST', `${path}/promotions`, body), [200, 422, 429])
    })

    it('is a valid body, or is rejected', async () => {
      const method = fc.constantFrom<[string, string]>(
        ['POST', '/lines'],
        ['POST', '/promotions'],
        ['PATCH', '/lines/x'],
      )
      const sent = fc.tuple(method, fc.oneof(fc.json(), fc.string({ unit: codePoint, maxLength: 60 })))
      await hasStatus(sent, ([[way, at], body]) => shopper.ask(way, path + at, body), [200, 404, 422, 429])
    })

    it('is an id of the cart, or unknown', async () => {
      const paths = fc.oneof(
        piece.map((id) => ['GET', `/v1/carts/${id}`] as const),
        piece.map((id) => ['DELETE', `${path}/lines/${id}`] as const),
        piece.map((id) => ['DELETE', `${path}/promotions/${id}`] as const),
      )
      await hasStatus(paths, ([way, at]) => shopper.ask(way, at), [404, 405, 422])
    })

    it('has no If-Match that causes a 500', async () => {
      const byte = fc.integer({ min: 0x20, max: 0x7e }).map((at) => String.fromCharCode(at))
      const tags = fc.oneof(
        fc.array(byte, { minLength: 1, maxLength: 30 }).map((all) => all.join('')),
        fc.constant('"'.repeat(2_000)),
      )
      const sent = { sku: 'OL-1001', quantity: 1 }
      await hasStatus(tags, (tag) => shopper.ask('POST', `${path}/lines`, sent, { 'if-match': tag }), [200, 412])
    })
  })
