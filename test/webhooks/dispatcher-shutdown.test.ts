import { mock } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import type { WebhookDispatcher } from '../../src/webhooks/dispatcher.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture, type DeliveryFixture } from './dispatcher-fixture.ts'

/** Results are written together after this time. */
const BATCH_WINDOW_MS = 10

for (const store of stores()) {
  describe(`a dispatcher’s leases and shutdown on ${store.name}`, () => {
    let db: Database
    let fixture: DeliveryFixture

    beforeEach(async () => {
      db = await store.open()
      fixture = createDeliveryFixture(db)
    })
    afterEach(async () => {
      mock.timers.reset()
      await fixture.end()
      await store.close()
    })

    it('takes over the deliveries of a dead dispatcher when their lease has expired, not before', async () => {
      await fixture.subscribe('a')
      await fixture.addEvent()
      const { promise, resolve } = Promise.withResolvers<number>()
      fixture.answer = () => promise
      const dead = fixture.dispatcher()
      const dying = dead.round()
      await until('it is being sent', () => fixture.sent.length === 1)
      fixture.answer = () => 204
      const successor = fixture.dispatcher()
      fixture.advance(59_999)
      await successor.round()
      expect(fixture.sent).to.have.lengthOf(1)
      fixture.advance(1)
      await successor.round()
      expect(fixture.sent).to.have.lengthOf(2)
      resolve(500)
      await dying
      const [delivery] = await fixture.deliveries()
      expect(delivery).to.include({ status: 'DELIVERED', response_status: 204, attempts: 1 })
      expect(await fixture.subscription('whk_a')).to.include({ consecutive_failures: 0 })
    })

    it('releases unsent deliveries when it shuts down', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      fixture.answer = () => promise
      await fixture.subscribe('a', { last_success_at: fixture.at() })
      for (let i = 0; i < 10; i++) await fixture.addEvent()
      const dispatcher = fixture.dispatcher()
      const round = dispatcher.round()
      await until('four are being sent', () => dispatcher.stats().sending === 4)
      expect(dispatcher.stats().waiting).to.equal(6)
      // Disposal waits a short time for those four, which must not pass on a slow machine.
      mock.timers.enable({ apis: ['setTimeout'] })
      const ending = dispatcher[Symbol.asyncDispose]()
      resolve(200)
      while (dispatcher.stats().unwritten < 4) await nextTurn()
      mock.timers.tick(BATCH_WINDOW_MS)
      await Promise.all([ending, round])
      mock.timers.reset()
      const released = (await fixture.deliveries()).filter(({ status }) => status === 'PENDING')
      expect(released.map(({ lease, due_at }) => ({ lease, due_at }))).to.deep.equal(
        Array.from({ length: 6 }, () => ({ lease: null, due_at: fixture.at() })),
      )
      expect((await fixture.statuses()).sort()).to.deep.equal([
        ...Array.from({ length: 4 }, () => 'DELIVERED'),
        ...Array.from({ length: 6 }, () => 'PENDING'),
      ])
      await fixture.dispatcher().round()
      expect(fixture.sent).to.have.lengthOf(10)
    })

    it('shuts down although an endpoint hangs, and leaves the attempt to the next dispatcher', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      fixture.answer = () => promise
      await fixture.subscribe('a')
      await fixture.addEvent()
      const dispatcher = fixture.dispatcher()
      const round = dispatcher.round()
      await until('it is being sent', () => fixture.sent.length === 1)
      mock.timers.enable({ apis: ['setTimeout'] })
      const ending = dispatcher[Symbol.asyncDispose]()
      mock.timers.tick(2_000)
      await ending
      mock.timers.reset()
      resolve(200)
      await round
      expect(dispatcher.stats().unwritten).to.equal(0)
      expect(await fixture.statuses()).to.deep.equal(['PENDING'])
      fixture.advance(60_000)
      await fixture.dispatcher().round()
      expect(await fixture.statuses()).to.deep.equal(['DELIVERED'])
    })

    it('releases a delivery whose lease is too short for an attempt', async () => {
      await fixture.subscribe('a', { last_success_at: fixture.at() })
      for (let i = 0; i < 2; i++) await fixture.addEvent()
      fixture.answer = () => {
        fixture.advance(45_000)
        return 200
      }
      await fixture.dispatcher({ limits: { maxSendsPerEndpoint: 1 } }).round()
      expect(fixture.sent).to.have.lengthOf(1)
      const waiting = (await fixture.deliveries()).filter(({ status }) => status === 'PENDING')
      expect(waiting.map(({ lease, due_at }) => ({ lease, due_at }))).to.deep.equal([
        { lease: null, due_at: fixture.at() },
      ])
      await fixture.dispatcher({ limits: { maxSendsPerEndpoint: 1 } }).round()
      expect(fixture.sent).to.have.lengthOf(2)
      expect(await fixture.statuses()).to.deep.equal(['DELIVERED', 'DELIVERED'])
    })

    it('pauses sending while the store cannot keep up with writing results', async () => {
      for (let n = 0; n < 20; n++) await fixture.subscribe(`sound${n}`, { last_success_at: fixture.at() })
      for (let n = 0; n < 30; n++) await fixture.addEvent({ resource: { type: 'order', id: `ord_${n}` } })
      const written = Promise.withResolvers<void>()
      let [sent, behind] = [0, 0]
      const dispatcher: WebhookDispatcher = fixture.dispatcher({
        db: withSlowWrites(db, written.promise),
        onAttempt() {
          sent += 1
          behind = Math.max(behind, dispatcher.stats().unwritten)
        },
      })
      const round = dispatcher.round()
      await until('it waits for the store', () => {
        const { unwritten, sending } = dispatcher.stats()
        return unwritten >= 128 && sending === 0
      })
      expect(sent).to.be.below(600)
      written.resolve()
      await round
      await dispatcher.round()
      expect(new Set(await fixture.statuses())).to.deep.equal(new Set(['DELIVERED']))
      expect([sent, behind < 128 + 256]).to.deep.equal([600, true])
    })

    it('writes the result of an attempt when the store is back', async () => {
      await fixture.subscribe('a')
      await fixture.addEvent()
      fixture.answer = async () => {
        await db.schema.alterTable('deliveries').renameTo('away').execute()
        return 200
      }
      const round = fixture.dispatcher().round()
      await until('a write has failed', () => fixture.errors.length > 0)
      await db.schema.alterTable('away').renameTo('deliveries').execute()
      await round
      expect(await fixture.statuses()).to.deep.equal(['DELIVERED'])
      expect(fixture.sent).to.have.lengthOf(1)
    })
  })
}

/** A database whose transactions wait for a promise. */
function withSlowWrites(db: Database, until: Promise<void>): Database {
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof member === 'function' ? member.bind(target) : member
      const begin = target.transaction.bind(target)
      return () => {
        const builder = begin()
        const execute = builder.execute.bind(builder)
        return Object.assign(builder, { execute: (work: never) => until.then(() => execute(work)) })
      }
    },
  })
}
