import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { readWaitingDeliveries } from '../../../../src/console/pages/webhooks/waiting-deliveries-view.ts'
import type { AttemptErrorCode } from '../../../../src/contract/events/webhook-delivery.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { stores } from '../../../support/stores.ts'
import { createDeliveryFixture, type DeliveryFixture } from '../../../webhooks/dispatcher-fixture.ts'

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
      const endpoint = await fixture.subscription(id)
      return readWaitingDeliveries({ db, merchants }, { endpoint, now: fixture.clock })
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

    it('are the oldest of all, however many newer events were delivered or wait', async () => {
      const toOrder = (id: string) => ({ eventType: 'order.confirmed', id, href: `/find?q=${id}` })
      const byId = (a: { id: string | null }, b: { id: string | null }) => (a.id! < b.id! ? -1 : 1)
      fixture.answer = ({ type }) => (type === 'order.confirmed' ? 500 : 200)
      await addOrders(3)
      const dispatcher = fixture.dispatcher()
      await dispatcher.round()
      for (let product = 0; product < 50; product++) {
        fixture.advance(10)
        await fixture.addEvent({ type: 'product.updated', resource: { type: 'product', id: `BP-${product}` } })
      }
      const waiting = await read()
      expect(waiting.count).to.equal('At least 50 events wait')
      expect(waiting.subjects.slice(0, 3).toSorted(byId)).to.deep.equal(['ord_0', 'ord_1', 'ord_2'].map(toOrder))
      expect(waiting.subjects.slice(3)).to.deep.equal(
        ['BP-0', 'BP-1', 'BP-2', 'BP-3', 'BP-4', 'BP-5', 'BP-6'].map((id) => ({
          eventType: 'product.updated',
          id,
          href: null,
        })),
      )
      expect(waiting.others).to.equal('at least 40 more')
      expect(waiting.problem).to.match(/^it responds with status 500/)
      while ((await fixture.statuses()).includes('PENDING') && fixture.sent.length < 53) await dispatcher.round()
      const { count, subjects, others } = await read()
      expect({ count, subjects: subjects.toSorted(byId), others }).to.deep.equal({
        count: '3 events wait',
        subjects: ['ord_0', 'ord_1', 'ord_2'].map(toOrder),
        others: '',
      })
    })

    it('say how an attempt failed, and whether Forecourt may be the cause', async () => {
      await addOrders(1)
      const failWith = async (error: AttemptErrorCode) => {
        fixture.answer = () => ({ responseStatus: null, error })
        fixture.advance(86_400_000)
        await fixture.dispatcher().round()
        const { problem, concernsForecourt } = await read()
        return [problem, concernsForecourt]
      }
      expect(await failWith('tls')).to.deep.equal([
        'an attempt got no usable response. The certificate is not valid for the host, or TLS failed. Renew the certificate of the endpoint',
        false,
      ])
      expect(await failWith('secret_unreadable')).to.deep.equal([
        'Forecourt could not send an event. Forecourt cannot decrypt the signing secret: rotate it',
        true,
      ])
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
