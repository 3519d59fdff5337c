import { expect } from 'chai'
import { type CartChange, createCart, editCart, requireCart } from '../../../src/commands/carts/edit-cart.ts'
import type { CustomerCommandContext } from '../../../src/commands/command-context.ts'
import { Problem } from '../../../src/errors.ts'
import {
  bindCartToOrder,
  type CartRecord,
  replaceCartContents,
  storeCartPricing,
} from '../../../src/storage/commerce/carts.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'

const plain = { ifMatch: null, once: null }
const added = (cart: CartRecord, sku: string): CartRecord => {
  const line = { line_id: sku, sku, name: sku, quantity: '1', uom: 'each', order_uom: null, order_quantity: null }
  return { ...cart, lines: [...cart.lines, line] }
}
const skusOf = ({ lines }: CartRecord) => lines.map(({ sku }) => sku)

for (const store of stores())
  describe(`a change of a cart, on ${store.name}`, () => {
    let db: Database
    let place: CustomerCommandContext
    let cartId: string

    beforeEach(async () => {
      db = await store.open()
      const commerce = { db, now: Date.now } as CustomerCommandContext['commerce']
      place = { commerce, tenantId: 'acme', mode: 'sandbox', customerId: 'C-1001' } as CustomerCommandContext
      cartId = (await createCart(place, null)).cart_id
    })
    afterEach(() => store.close())

    /** As another process would: past the turns of this one. */
    const meanwhile = (cart: CartRecord, sku: string) => replaceCartContents(db, added(cart, sku), cart.version)

    it('is made again on what another process left', async () => {
      const edited = await editCart(place, cartId, plain, async (cart) => {
        expect(await meanwhile(cart, 'b')).to.equal(true)
        expect(await meanwhile({ ...added(cart, 'b'), version: cart.version + 1 }, 'c')).to.equal(true)
        return (now) => added(now, 'a')
      })
      expect(skusOf(edited)).to.deep.equal(['b', 'c', 'a'])
      expect(await requireCart(place, cartId)).to.deep.equal(edited)
    })

    it('is lost to nobody, of twenty at once', async () => {
      const skus = Array.from({ length: 20 }, (_, at) => `S${at + 10}`)
      await Promise.all(skus.map((sku) => editCart(place, cartId, plain, () => (cart) => added(cart, sku))))
      expect(skusOf(await requireCart(place, cartId)).sort()).to.deep.equal(skus)
    })

    // In SQLite alone does a write that was asked for first surely come first.
    if (store.name === 'SQLite')
      it('is given up, and said so, when others are always faster', async () => {
        let tries = 0
        const change: CartChange = (cart) => {
          tries += 1
          void meanwhile(cart, `other ${tries}`)
          return added(cart, 'a')
        }
        const refused = await editCart(place, cartId, plain, () => change).then(
          () => null,
          (error: unknown) => error,
        )
        expect(refused).to.be.instanceOf(Problem).and.include({ code: 'overloaded' })
        expect(tries).to.equal(20)
        expect(skusOf(await requireCart(place, cartId)))
          .to.have.length(20)
          .and.not.include('a')
      })

    it('and its mark are stored together or not at all', async () => {
      const marks: unknown[] = []
      const once = {
        applied: null,
        mark: async (_: Database, applied: unknown) => {
          marks.push(applied)
          if (marks.length === 1) throw new Error('the store went away')
        },
      }
      const edit = () => editCart(place, cartId, { ifMatch: null, once }, () => (cart) => added(cart, 'a'))
      expect(await edit().catch((error: Error) => error.message)).to.equal('the store went away')
      expect(skusOf(await requireCart(place, cartId))).to.deep.equal([])
      expect(skusOf(await edit())).to.deep.equal(['a'])
      expect(marks).to.have.length(2)
    })

    it('that was made before is not made again, and the cart is answered as it is', async () => {
      const once = { applied: { cart_id: cartId }, mark: async () => expect.fail('marked again') }
      const again = editCart(place, cartId, { ifMatch: '"99"', once }, () => expect.fail('made again'))
      expect((await again).version).to.equal(1)
      expect((await createCart(place, once)).cart_id).to.equal(cartId)
    })

    it('leaves no pricing of the cart as it was before', async () => {
      const before = await requireCart(place, cartId)
      await editCart(place, cartId, plain, () => (cart) => added(cart, 'a'))
      expect(await storeCartPricing(db, cartId, before.version, {})).to.equal(false)
      expect((await requireCart(place, cartId)).pricing).to.equal(null)
    })

    it('leaves a cart that is being checked out the pricing that it is ordered at', async () => {
      const { version } = await requireCart(place, cartId)
      expect(await storeCartPricing(db, cartId, version, { ordered: 'at' })).to.equal(true)
      expect(await bindCartToOrder(db, cartId, version, 'ord_1')).to.equal(true)
      expect(await storeCartPricing(db, cartId, version, { late: true })).to.equal(false)
      expect((await requireCart(place, cartId)).pricing).to.deep.equal({ ordered: 'at' })
    })
  })
