import { expect } from 'chai'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { findOrder, insertOrder } from '../../../src/storage/commerce/orders.ts'
import { confirmStoredOrder } from '../../../src/storage/commerce/pending-orders.ts'
import { findOrdersByNumber } from '../../../src/storage/console-search/commerce-lookups.ts'
import type { Database } from '../../../src/storage/database.ts'
import { startPruning } from '../../../src/storage/retention/prune-expired.ts'
import { stores } from '../../support/stores.ts'

const customer = { merchant: 'acme', mode: 'live', customer_id: 'C-1' } as const
const NOW = Date.parse('2026-11-25T12:00:00.000Z')
const at = new Date(NOW).toISOString()

for (const store of stores())
  describe(`orders that a server of the previous release confirms, on ${store.name}`, () => {
    let db: Database
    before(async () => {
      db = await store.open()
    })
    after(() => store.close())

    async function addPending(order_id: string) {
      const times = { leased_until: at, created_at: at, updated_at: at }
      const row = {
        order_id,
        tenant_id: 'acme',
        mode: 'live',
        customer_id: 'C-1',
        cart_id: `cart_${order_id}`,
      } as const
      const state = { status: 'PENDING', draft: {} as OrderDraft, placed: null, acknowledged: true } as const
      await insertOrder(db, { ...row, ...state, ...times, attempts: 1, reject_reason: null })
      return (await findOrder(db, customer, order_id))!
    }

    /** The column `order_number` is unknown to that release. */
    const confirmAsBefore = (order_id: string, placed: object) =>
      db
        .updateTable('orders')
        .set({ status: 'CONFIRMED', placed: JSON.stringify(placed) })
        .where('order_id', '=', order_id)
        .execute()

    const idsByNumber = async (number: string) => (await findOrdersByNumber(db, [number])).map(({ id }) => id)

    it('are found by their number after the next round of upkeep', async () => {
      for (const id of ['ord_1', 'ord_2', 'ord_3', 'ord_4']) await addPending(id)
      await confirmAsBefore('ord_1', { order_number: 'SO-1' })
      await confirmAsBefore('ord_2', {})
      const placed = { order_number: 'SO-3' } as Parameters<typeof confirmStoredOrder>[2]
      await confirmStoredOrder(db, (await findOrder(db, customer, 'ord_3'))!, placed, at)
      expect(await idsByNumber('so-1')).to.deep.equal([])
      const onError = (error: unknown) => expect.fail(`${error}`)
      await using upkeep = startPruning({ db, now: () => NOW, onError, intervalMs: null })
      await upkeep.poll()
      expect(await idsByNumber('so-1')).to.deep.equal(['ord_1'])
      expect(await idsByNumber('so-3')).to.deep.equal(['ord_3'])
      const rows = await db.selectFrom('orders').select(['order_id', 'order_number']).orderBy('order_id').execute()
      expect(rows.map(({ order_number }) => order_number)).to.deep.equal(['SO-1', '', 'SO-3', null])
    })
  })
