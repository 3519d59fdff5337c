import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { readWaitingDeliveries } from '../../../src/console/pages/waiting-deliveries-view.ts'
import type { Database } from '../../../src/storage/database.ts'
import { listDeliveries } from '../../../src/storage/webhooks/deliveries.ts'
import { stores } from '../../support/stores.ts'
import { createDeliveryFixture, type DeliveryFixture } from '../../webhooks/delivery-fixture.ts'

for (const store of stores())
  describe(`the waiting events of an endpoint's page over ${store.name}`, () => {
    let db: Database
    let fixture: DeliveryFixture
    let id: string

    beforeEach(async () => {
      db = await store.open()
      fixture = createDeliveryFixture(db)
      id = await fixture.subscribe('x')
    })
    afterEach(async () => {
      await fixture.end()
      await store.close()
    })

    async function read() {
      const merchants = createMerchantDirectory([], () => fixture.clock)
      const { rows, hasMore } = await listDeliveries(db, id, { limit: 50, offset: 0 })
      const endpoint = await fixture.subscription(id)
      const parts = { endpoint, deliveries: rows, hasMore, now: fixture.clock }
      return readWaitingDeliveries({ db, merchants }, parts)
    }

    /** Adds events of orders `ord_0`, `ord_1`, … */
    async function addOrders(count: number) {
      for (let order = 0; order < count; order++)
        await fixture.addEvent({ resource: { type: 'order', id: `ord_${order}` } })
    }

    it('wait their turn while the endpoint hangs', async () => {
      await addOrders(12)
      let respond = (): void => {}
      const response = new Promise<void>((resolve) => {
        respond = resolve
      })
      fixture.answer = async () => {
        await response
        return { responseStatus: null, error: 'timeout' }
      }
      const round = fixture.dispatcher().round()
      while (fixture.sent.length === 0) await new Promise((resolve) => setImmediate(resolve))
      expect((await read()).due).to.equal('later')
      fixture.advance(11_000)
      expect((await read()).due).to.equal('turn')
      respond()
      await round
      expect((await read()).due).to.equal('turn')
    })

    it('are overdue if none is being sent, and the endpoint has no failures', async () => {
      await addOrders(1)
      expect((await read()).due).to.equal('later')
      fixture.advance(11_000)
      expect((await read()).due).to.equal('overdue')
      // The lease of a process that crashed.
      await db
        .updateTable('deliveries')
        .set({ lease: 'p', due_at: fixture.at(-11_000) })
        .execute()
      expect((await read()).due).to.equal('overdue')
    })

    it('wait for a reason that is not known if none is being sent, and the endpoint has failures', async () => {
      await addOrders(1)
      fixture.answer = () => 500
      await fixture.dispatcher().round()
      fixture.advance(86_400_000)
      expect((await read()).due).to.equal('unknown')
    })
  })
