import { expect } from 'chai'
import { createCart } from '../../../src/commands/carts/create-cart.ts'
import { type CartChange, editCart } from '../../../src/commands/carts/edit-cart.ts'
import { requireCart } from '../../../src/commands/carts/find-cart.ts'
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

const plain = { ifMatch: null, idempotency: null }
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
      place = {
        commerce,
        tenant: { merchant: 'acme', mode: 'sandbox' },
        customerId: 'C-1001',
      } as CustomerCommandContext
      cartId = (await createCart(place, { idempotency: null })).cart_id
    })
    afterEach(() => store.close())

    /** Edits like another process: without this process's queue. */
    const meanwhile = (cart: CartRecord, sku: string) => replaceCartContents(db, added(cart, sku), cart.version)

    it('is applied again after another process changed the cart', async () => {
      const edited = await editCart(place, cartId, plain, async (cart) => {
        expect(await meanwhile(cart, 'b')).to.equal(true)
        expect(await meanwhile({ ...added(cart, 'b'), version: cart.version + 1 }, 'c')).to.equal(true)
        return (now) => added(now, 'a')
      })
      expect(skusOf(edited)).to.deep.equal(['b', 'c', 'a'])
      expect(await requireCart(place, cartId)).to.deep.equal(edited)
    })

    it('is not lost among twenty concurrent ones', async () => {
      const skus = Array.from({ length: 20 }, (_, at) => `S${at + 10}`)
      await Promise.all(skus.map((sku) => editCart(place, cartId, plain, () => (cart) => added(cart, sku))))
      expect(skusOf(await requireCart(place, cartId)).sort()).to.deep.equal(skus)
    })

    // Only SQLite guarantees that writes run in the order of their calls.
    if (store.name === 'SQLite')
      it('fails with a clear error when other processes are always faster', async () => {
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

    it('is stored together with its idempotency record or not at all', async () => {
      const records: unknown[] = []
      const idempotency = {
        applied: null,
        recordApplied: async (_: Database, applied: unknown) => {
          records.push(applied)
          if (records.length === 1) throw new Error('the store is unavailable')
        },
      }
      const edit = () => editCart(place, cartId, { ifMatch: null, idempotency }, () => (cart) => added(cart, 'a'))
      expect(await edit().catch((error: Error) => error.message)).to.equal('the store is unavailable')
      expect(skusOf(await requireCart(place, cartId))).to.deep.equal([])
      expect(skusOf(await edit())).to.deep.equal(['a'])
      expect(records).to.have.length(2)
    })

    it('is not applied again on a retry, which returns the current cart', async () => {
      const idempotency = { applied: { cart_id: cartId }, recordApplied: async () => expect.fail('recorded again') }
      const again = editCart(place, cartId, { ifMatch: '"99"', idempotency }, () => expect.fail('prepared again'))
      expect((await again).version).to.equal(1)
      expect((await createCart(place, { idempotency })).cart_id).to.equal(cartId)
    })

    it('removes the pricing of the previous version', async () => {
      const before = await requireCart(place, cartId)
      await editCart(place, cartId, plain, () => (cart) => added(cart, 'a'))
      expect(await storeCartPricing(db, cartId, before.version, {})).to.equal(false)
      expect((await requireCart(place, cartId)).pricing).to.equal(null)
    })

    it('keeps the pricing of a cart that is being checked out', async () => {
      const { version } = await requireCart(place, cartId)
      expect(await storeCartPricing(db, cartId, version, { ordered: 'at' })).to.equal(true)
      expect(await bindCartToOrder(db, cartId, version, 'ord_1')).to.equal(true)
      expect(await storeCartPricing(db, cartId, version, { late: true })).to.equal(false)
      expect((await requireCart(place, cartId)).pricing).to.deep.equal({ ordered: 'at' })
    })
  })
