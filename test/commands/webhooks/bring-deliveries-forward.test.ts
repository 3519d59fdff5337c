import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { changeSubscription } from '../../../src/commands/webhooks/change-subscription.ts'
import { recoverDeliveries } from '../../../src/commands/webhooks/recover-deliveries.ts'
import { fillWebhookStore } from '../../support/fill-webhook-store.ts'
import { stores } from '../../support/stores.ts'
import { createDeliveryFixture, type DeliveryFixture } from '../../webhooks/dispatcher-fixture.ts'

const MINUTE_MS = 60_000
const tenant = { merchant: 'acme', mode: 'sandbox' as const }

for (const store of stores()) {
  describe(`the deliveries that an endpoint missed, on ${store.name}`, () => {
    let fixture: DeliveryFixture
    let id: string

    beforeEach(async () => {
      fixture = createDeliveryFixture(await store.open())
      id = await fixture.subscribe('0000000000000000000000')
    })
    afterEach(async () => {
      await fixture.end()
      await store.close()
    })

    const now = () => fixture.clock
    const recover = (range: { since?: string; until?: string } = {}) => {
      const throttle = {
        take: async () => {},
        tryTake: async () => true,
        refund: async () => {},
        reset: async () => {},
      }
      const { since = '2025-01-01T00:00:00.000Z', until } = range
      return recoverDeliveries({ db: fixture.db, now, throttle }, tenant, id, { since, until })
    }
    const enable = () => {
      const endpointRules = { ports: [443], allow: [] }
      return changeSubscription({ db: fixture.db, endpointRules, now }, tenant, id, { status: 'ACTIVE' })
    }
    /** Adds events, a second apart, whose next attempt is an hour away. */
    async function addWaiting(count: number): Promise<string[]> {
      const ids: string[] = []
      for (let i = 0; i < count; i++) {
        fixture.advance(1_000)
        const resource = { type: 'order' as const, id: `SO-${i}` }
        ids.push(await fixture.addEvent({ resource, deliverAt: fixture.at(60 * MINUTE_MS + (i % 2) * MINUTE_MS) }))
      }
      fixture.advance(MINUTE_MS)
      return ids
    }
    /** Returns when each delivery is due, in milliseconds from now, in the order of the deliveries' events. */
    const dueIn = async () => (await fixture.deliveries()).map(({ due_at }) => Date.parse(due_at) - fixture.clock)

    for (const [name, bringForward] of [['recover', recover] as const, ['enable', enable] as const])
      it(`are due soon after ${name}, the oldest first, at most 100 a second`, async () => {
        const ids = await addWaiting(5)
        await bringForward()
        expect(await dueIn()).to.deep.equal([0, 10, 20, 30, 40])
        const dispatcher = fixture.dispatcher()
        for (let i = 0; i < 5; i++) {
          await dispatcher.round()
          expect(fixture.sent.map(({ eventId }) => eventId)).to.deep.equal(ids.slice(0, i + 1))
          fixture.advance(10)
        }
      })

    it('count in the result of recover, apart from new deliveries', async () => {
      await addWaiting(3)
      await fixture.db
        .updateTable('deliveries')
        .set({ status: 'EXHAUSTED' })
        .where('created_at', '=', fixture.at(-MINUTE_MS))
        .execute()
      expect(await recover()).to.deep.equal({ scheduled: 1, brought_forward: 2, has_more: false })
    })

    it('do not become due faster by a second call', async () => {
      await addWaiting(3)
      await recover()
      expect(await recover()).to.include({ brought_forward: 0 })
      await enable()
      expect(await dueIn()).to.deep.equal([0, 10, 20])
    })

    it('stay as they are while their event is held', async () => {
      const heldUntil = fixture.at(120 * MINUTE_MS)
      const resource = { type: 'product' as const, id: 'BP-1001' }
      await fixture.addEvent({ type: 'product.updated', resource, heldUntil, deliverAt: heldUntil })
      expect(await recover()).to.deep.equal({ scheduled: 0, brought_forward: 0, has_more: false })
      await enable()
      expect(await dueIn()).to.deep.equal([120 * MINUTE_MS])
    })

    it('stay as they are when they are due earlier, being sent, or of events outside the range', async () => {
      await addWaiting(4)
      const [early, leased, inside, outside] = await fixture.deliveries()
      const change = (row: { delivery_id: string } | undefined, set: object) =>
        fixture.db.updateTable('deliveries').set(set).where('delivery_id', '=', row!.delivery_id).execute()
      await change(early, { due_at: fixture.at(-1) })
      await change(leased, { lease: 'somebody' })
      const result = await recover({ until: inside!.created_at })
      expect(result).to.deep.equal({ scheduled: 0, brought_forward: 1, has_more: false })
      const due = (await fixture.deliveries()).map(({ due_at }) => due_at)
      expect(due).to.deep.equal([fixture.at(-1), leased!.due_at, fixture.at(10), outside!.due_at])
    })

    it('are at most 10,000 for a call, and the next call goes on', async () => {
      await fillWebhookStore(fixture.db, { subscriptionId: id, events: 10_001 })
      const waiting = { status: 'PENDING' as const, ended_at: null, due_at: '2999-01-01T00:00:00.000Z' }
      await fixture.db.updateTable('deliveries').set(waiting).execute()
      fixture.clock = Date.parse('2026-01-02T00:00:00.000Z')
      expect(await recover()).to.deep.equal({ scheduled: 0, brought_forward: 10_000, has_more: true })
      expect(await recover()).to.deep.equal({ scheduled: 0, brought_forward: 1, has_more: false })
      const due = await dueIn()
      expect([due[0], due[9_999], due[10_000]]).to.deep.equal([0, 99_990, 100_000])
    })

    it('are searched for in slices, between which others use the store', async () => {
      await fillWebhookStore(fixture.db, { subscriptionId: id, events: 20_000 })
      fixture.clock = Date.parse('2026-01-02T00:00:00.000Z')
      let isRunning = true
      let queries = 0
      const other = async () => {
        for (; isRunning; queries++) {
          await fixture.subscription(id)
          await nextTurn()
        }
      }
      const others = other()
      expect(await recover()).to.include({ scheduled: 0 })
      isRunning = false
      await others
      expect(queries).to.be.greaterThan(20)
    })
  })
}
