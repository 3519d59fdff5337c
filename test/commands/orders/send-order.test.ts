import { expect } from 'chai'
import type { CustomerCommandContext } from '../../../src/commands/command-context.ts'
import { markOrderConfirmed } from '../../../src/commands/orders/order-transitions.ts'
import { handleMissingResponse } from '../../../src/commands/orders/send-order.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Order } from '../../../src/ports/order.ts'
import { findAnyOrder, listDelayedOrders } from '../../../src/storage/commerce/operator-order-queries.ts'
import { listOrderTries } from '../../../src/storage/commerce/order-tries.ts'
import type { Database } from '../../../src/storage/database.ts'
import { insertPendingOrder } from '../../console/pages/pending-order.ts'
import { stores } from '../../support/stores.ts'

const customer = { merchant: 'acme', mode: 'live' as const, customer_id: 'C-1' }
const START_MS = Date.parse('2026-11-21T14:05:00.000Z')
const at = new Date(START_MS).toISOString()

for (const store of stores()) {
  describe(`an order whose checkout got no response from accounting, on ${store.name}`, () => {
    let db: Database
    before(async () => {
      db = await store.open()
    })
    after(() => store.close())

    it('keeps the failed attempt when the change feed has confirmed it meanwhile', async () => {
      const commerce = { db, now: () => START_MS + 3_000 }
      const id = await insertPendingOrder(db, customer, at, { acknowledged: false, attempts: 0 }, [])
      const record = (await findAnyOrder(db, id))!
      const placed = { ...record.draft, order_id: 'SO-1', order_number: 'SO-1', history: [], shipments: [] }
      await markOrderConfirmed(commerce, record, placed as unknown as Order)
      const failure = new UpstreamError('timeout', 'no response', { summary: 'no response in 2999 ms' })
      const context = { commerce } as CustomerCommandContext
      const writeNothing = () => expect.fail('the response of a confirmed order is written elsewhere')
      expect(await handleMissingResponse(context, record, failure, writeNothing)).to.equal(null)
      const ended = { at: new Date(START_MS + 3_000).toISOString(), ms: 3_000 }
      expect(await listOrderTries(db, id)).to.deep.equal([
        { order_id: id, number: 0, outcome: 'timeout', kind: 'no response in 2950 ms', ...ended },
      ])
      const delayed = await listDelayedOrders(db, customer, { from: at, to: at, limit: 5 })
      expect(delayed.map(({ order_id, status }) => [order_id, status])).to.deep.equal([[id, 'CONFIRMED']])
    })
  })
}
