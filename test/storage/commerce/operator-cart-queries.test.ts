import { expect } from 'chai'
import { chunkRows } from '../../../src/storage/chunk-rows.ts'
import { type CartRecord, insertCart } from '../../../src/storage/commerce/carts.ts'
import { listCartsById, listOpenCartsWithProduct } from '../../../src/storage/commerce/operator-cart-queries.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'

const TENANT = { merchant: 'acme', mode: 'live' } as const
const CUSTOMER = { ...TENANT, customer_id: 'C-1' }
const AT = '2026-11-01T00:00:00.000Z'
const NOW = '2026-11-02T00:00:00.000Z'
const LATER = '2026-12-01T00:00:00.000Z'

for (const store of stores())
  describe(`the carts that operators see, on ${store.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    async function addCart(
      { sku = 'BP-1', name = 'Pad' },
      change: Partial<CartRecord> = {},
      totals: object | null = null,
    ): Promise<string> {
      const line = { line_id: 'line_1', sku, name, quantity: '1', uom: 'EA', order_uom: null, order_quantity: null }
      const fill = (empty: CartRecord) => ({ ...empty, lines: [line], ...change })
      const { cart_id } = await insertCart(db, CUSTOMER, { now: AT, expiresAt: LATER }, fill)
      const pricing = totals && JSON.stringify({ totals, lines: [] })
      if (pricing) await db.updateTable('carts').set({ pricing }).where('cart_id', '=', cart_id).execute()
      return cart_id
    }
    const search = (sku = 'BP-1') => listOpenCartsWithProduct(db, TENANT, { sku, now: NOW })

    it('are the open ones with a product, those that were changed last first', async () => {
      const older = await addCart({}, { expires_at: '2026-11-20T00:00:00.000Z' }, { total: '10.00', tax: '1.00' })
      const newer = await addCart({})
      const { carts, areOthersUnknown } = await search()
      expect(carts.map(({ cart_id }) => cart_id)).to.deep.equal([newer, older])
      expect(carts.map(({ pricing }) => pricing)).to.deep.equal([
        null,
        { totals: { total: '10.00', tax: '1.00' }, lines: [] },
      ])
      expect(areOthersUnknown).to.equal(false)
    })

    it('are not those of another merchant or mode', async () => {
      await addCart({}, { tenant_id: 'zenith' })
      await addCart({}, { mode: 'sandbox' })
      expect((await search()).carts).to.deep.equal([])
    })

    it('are not those that expired, were ordered or are being checked out', async () => {
      await addCart({}, { expires_at: NOW })
      await addCart({}, { state: 'CONVERTED', order_id: 'ord_1' })
      await addCart({}, { state: 'EXPIRED' })
      await addCart({}, { order_id: 'ord_2' })
      expect((await search()).carts).to.deep.equal([])
    })

    it('are not those with a SKU that is longer, in another case, or only in a name', async () => {
      for (const sku of ['BP-10', 'bp-1', 'BP_1']) await addCart({ sku })
      await addCart({ sku: 'X', name: '"sku":"BP-1"' })
      const quoted = await addCart({ sku: 'A"\\%_é' })
      expect((await search()).carts).to.deep.equal([])
      expect((await search('A"\\%_é')).carts.map(({ cart_id }) => cart_id)).to.deep.equal([quoted])
    })

    it('are found when another merchant has many newer ones', async () => {
      const cart = await addCart({}, { expires_at: '2026-11-20T00:00:00.000Z' })
      await addMany(2_100, { tenant_id: 'busy' })
      const { carts, areOthersUnknown } = await search()
      expect([carts.map(({ cart_id }) => cart_id), areOthersUnknown]).to.deep.equal([[cart], false])
    })

    it('are searched up to a number, and the rest is said to be unknown', async () => {
      await addCart({}, { expires_at: '2026-11-20T00:00:00.000Z' })
      await addMany(199, {})
      expect(await search())
        .to.deep.include({ areOthersUnknown: false })
        .and.have.property('carts')
        .with.lengthOf(1)
      await addMany(1, {}, 'more')
      expect(await search()).to.deep.equal({ carts: [], areOthersUnknown: true })
    })

    it('are those of the tenant, when they are read by id', async () => {
      const own = await addCart({})
      const others = [await addCart({}, { tenant_id: 'zenith' }), await addCart({}, { mode: 'sandbox' })]
      const carts = await listCartsById(db, TENANT, [own, ...others])
      expect(carts.map(({ cart_id }) => cart_id)).to.deep.equal([own])
    })

    async function addMany(count: number, change: Partial<CartRecord>, prefix = 'many'): Promise<void> {
      const model = await addCart({ sku: 'OTHER' }, change)
      const row = await db.selectFrom('carts').selectAll().where('cart_id', '=', model).executeTakeFirstOrThrow()
      await db.deleteFrom('carts').where('cart_id', '=', model).execute()
      const rows = Array.from({ length: count }, (_, at) => ({ ...row, cart_id: `cart_${prefix}${at}` }))
      for (const chunk of chunkRows(rows)) await db.insertInto('carts').values(chunk).execute()
    }
  })
