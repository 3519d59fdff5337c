import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { cancelPendingDeliveries } from '../../src/storage/webhooks/deliveries.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture, type DeliveryFixture } from './dispatcher-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

for (const store of stores()) {
  describe(`endpoint health on ${store.name}`, () => {
    let db: Database
    let fixture: DeliveryFixture

    beforeEach(async () => {
      db = await store.open()
      fixture = createDeliveryFixture(db)
    })
    afterEach(async () => {
      await fixture.end()
      await store.close()
    })

    it('becomes FAILING after three exhausted events, with a report, and ACTIVE again after a success', async () => {
      fixture.answer = () => 500
      const id = await fixture.subscribe('a')
      for (let i = 0; i < 3; i++) await fixture.addEvent()
      for (let attempt = 1; attempt <= 9; attempt++) {
        await fixture.dispatcher().round()
        fixture.advance(21 * HOUR_MS)
        if (attempt < 9) expect(fixture.changes).to.deep.equal([])
        // Days of failures alone would disable it.
        await db.updateTable('subscriptions').set({ failing_since: fixture.at() }).execute()
      }
      expect(fixture.changes.map(({ from, to, reason }) => [from, to, reason])).to.deep.equal([
        ['ACTIVE', 'FAILING', null],
      ])
      expect(fixture.changes[0]!.subscription).to.include({ subscription_id: id, status: 'FAILING', exhausted: 3 })
      fixture.answer = () => 200
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({
        status: 'ACTIVE',
        consecutive_failures: 0,
        exhausted: 0,
        failing_since: null,
      })
      expect(fixture.changes.at(-1)).to.include({ from: 'FAILING', to: 'ACTIVE' })
    })

    /** Makes all attempts of the newest event except the last, which is then due. */
    const makeEightAttempts = async () => {
      for (let attempt = 1; attempt <= 8; attempt++) {
        await fixture.dispatcher().round()
        fixture.clock = Date.parse((await fixture.deliveries()).at(-1)!.due_at)
      }
    }

    it('becomes DISABLED after five days of failures only, and its waiting deliveries are cancelled', async () => {
      fixture.answer = () => 500
      const id = await fixture.subscribe('a')
      const failingSince = (ms: number) =>
        db
          .updateTable('subscriptions')
          .set({ failing_since: fixture.at(-ms) })
          .execute()
      await fixture.addEvent()
      await makeEightAttempts()
      await failingSince(5 * DAY_MS - 1)
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({ status: 'ACTIVE', exhausted: 1 })
      await fixture.addEvent()
      await makeEightAttempts()
      await failingSince(5 * DAY_MS)
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({
        status: 'DISABLED',
        disabled_reason: 'CONSECUTIVE_FAILURES',
        disabled_at: fixture.at(),
      })
      expect(await fixture.statuses()).to.deep.equal(['EXHAUSTED', 'EXHAUSTED', 'CANCELLED'])
      expect(fixture.changes).to.have.lengthOf(1)
      expect(fixture.changes[0]).to.include({ to: 'DISABLED', reason: 'CONSECUTIVE_FAILURES' })
    })

    it('allows an event all of its attempts although the previous one was exhausted a month ago', async () => {
      fixture.answer = () => 500
      const id = await fixture.subscribe('a')
      await fixture.addEvent()
      await makeEightAttempts()
      await fixture.dispatcher().round()
      fixture.advance(31 * DAY_MS)
      await fixture.addEvent()
      await makeEightAttempts()
      expect((await fixture.subscription(id)).status).to.not.equal('DISABLED')
      await fixture.dispatcher().round()
      expect((await fixture.subscription(id)).status).to.equal('DISABLED')
    })

    it('becomes DISABLED when the endpoint responds with 410 Gone', async () => {
      fixture.answer = () => 410
      const id = await fixture.subscribe('a')
      for (let i = 0; i < 6; i++) await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({ status: 'DISABLED', disabled_reason: 'GONE' })
      expect(new Set(await fixture.statuses())).to.deep.equal(new Set(['CANCELLED']))
      expect(fixture.changes).to.have.lengthOf(1)
      fixture.advance(DAY_MS)
      const before = fixture.sent.length
      await fixture.dispatcher().round()
      expect(fixture.sent).to.have.lengthOf(before)
    })

    it('ignores the result of an attempt at the subscription’s previous URL', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      fixture.answer = () => promise
      const id = await fixture.subscribe('a')
      await fixture.addEvent()
      const dispatcher = fixture.dispatcher()
      const round = dispatcher.round()
      await until('the old endpoint is called', () => dispatcher.stats().sending === 1)
      await db.updateTable('subscriptions').set({ endpoint_url: 'https://new.test/' }).execute()
      resolve(410)
      await round
      expect(await fixture.subscription(id)).to.include({
        status: 'ACTIVE',
        consecutive_failures: 0,
        failing_since: null,
      })
      expect(await fixture.statuses()).to.deep.equal(['PENDING'])
      fixture.advance(HOUR_MS)
      fixture.answer = () => 200
      await fixture.dispatcher().round()
      expect(fixture.sent.map(({ url }) => url)).to.deep.equal(['https://a.test/', 'https://new.test/'])
    })

    it('keeps the deliveries of a subscription that has been enabled meanwhile', async () => {
      const id = await fixture.subscribe('a')
      await fixture.addEvent()
      await cancelPendingDeliveries(db, id, fixture.at())
      expect(await fixture.statuses()).to.deep.equal(['PENDING'])
    })

    it('allows no sends to a disabled or deleted subscription', async () => {
      const id = await fixture.subscribe('a')
      await fixture.subscribe('b')
      await fixture.addEvent()
      await db.updateTable('subscriptions').set({ status: 'DISABLED' }).where('subscription_id', '=', id).execute()
      await db.deleteFrom('subscriptions').where('subscription_id', '=', 'whk_b').execute()
      await fixture.dispatcher().round()
      expect(fixture.sent).to.deep.equal([])
      expect(await fixture.statuses()).to.deep.equal(['CANCELLED', 'CANCELLED'])
    })

    it('allows no further sends when a subscription is disabled while its deliveries are leased', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      fixture.answer = () => promise
      await fixture.subscribe('a', { last_success_at: fixture.at() })
      for (let i = 0; i < 8; i++) await fixture.addEvent()
      const dispatcher = fixture.dispatcher({ limits: { maxSendsPerEndpoint: 2 } })
      const first = dispatcher.round()
      await until('two are being sent', () => dispatcher.stats().sending === 2)
      await db.updateTable('subscriptions').set({ status: 'DISABLED' }).execute()
      const second = dispatcher.round()
      await until('the others are cancelled', () => dispatcher.stats().waiting === 0)
      resolve(200)
      await Promise.all([first, second])
      expect(fixture.sent).to.have.lengthOf(2)
      expect(new Set(await fixture.statuses())).to.deep.equal(new Set(['CANCELLED']))
    })

    it('is written once a second for successes, and for each failure', async () => {
      const id = await fixture.subscribe('a')
      const successTimes: (string | null)[] = []
      for (const pause of [0, 400, 400, 400]) {
        fixture.advance(pause)
        await fixture.addEvent()
        await fixture.dispatcher().round()
        successTimes.push((await fixture.subscription(id)).last_success_at)
      }
      const begun = fixture.clock - 1_200
      expect(successTimes.map((at) => Date.parse(at!) - begun)).to.deep.equal([0, 0, 0, 1_200])
      fixture.answer = () => 500
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({ consecutive_failures: 1, failing_since: fixture.at() })
      fixture.answer = () => 200
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(await fixture.subscription(id)).to.include({ consecutive_failures: 0, failing_since: null })
    })
  })
}
