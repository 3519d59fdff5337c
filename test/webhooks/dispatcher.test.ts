import { mock } from 'node:test'
import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { cancelPendingDeliveries } from '../../src/storage/webhooks/deliveries.ts'
import type { WebhookDispatcher } from '../../src/webhooks/dispatcher.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'
import { PREVIOUS_SECRET, SECRET } from './webhook-requests.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

for (const store of stores()) {
  describe(`delivering events on ${store.name}`, () => {
    let db: Database
    let world: DeliveryFixture

    beforeEach(async () => {
      db = await store.open()
      world = createDeliveryFixture(db)
    })
    afterEach(async () => {
      mock.timers.reset()
      await world.end()
      await store.close()
    })

    it('sends an event to each subscription once, signed, as it is listed', async () => {
      await world.subscribe('a', {
        ...{ previous_secret: world.vault.seal(PREVIOUS_SECRET, 'subscription whk_a') },
        previous_secret_expires_at: world.at(1_000),
      })
      await world.subscribe('b', { event_types: '["order.shipped"]' })
      const event = await world.happen({ data: { total: '10.00' } })
      const dispatcher = world.dispatcher()
      await dispatcher.round()
      await dispatcher.round()
      expect(world.sent).to.have.lengthOf(1)
      const [{ body, deliveryId, ...parcel }] = world.sent as [DeliveryFixture['sent'][number]]
      expect(parcel).to.deep.equal({
        ...{ url: 'https://a.test/', eventId: event, type: 'order.confirmed', mode: 'sandbox', attempt: 1 },
        secrets: [SECRET, PREVIOUS_SECRET],
      })
      expect(JSON.parse(body.toString())).to.deep.equal({
        ...{ id: event, type: 'order.confirmed', created_at: world.at(), api_version: '1', mode: 'sandbox' },
        ...{ tenant_id: 'acme', resource: { type: 'order', id: 'ord_1' }, sequence: 1, data: { total: '10.00' } },
      })
      const [delivery] = await world.deliveries()
      expect(delivery).to.include({ delivery_id: deliveryId, status: 'DELIVERED', attempts: 1, response_status: 200 })
      expect(delivery).to.include({ lease: null, ended_at: world.at() })
      expect(await world.log()).to.deep.equal([
        { number: 1, at: world.at(), duration_ms: 5, response_status: 200, error: null, response_excerpt: null },
      ])
      expect(await world.subscription('whk_a')).to.include({ last_success_at: world.at(), consecutive_failures: 0 })
    })

    it('signs with the new secret alone once the old one has expired', async () => {
      await world.subscribe('a', { previous_secret: 'not even sealed', previous_secret_expires_at: world.at() })
      await world.happen()
      await world.dispatcher().round()
      expect(world.sent[0]!.secrets).to.deep.equal([SECRET])
    })

    it('follows the whole schedule, whoever dies in between, and then gives up', async () => {
      world.answer = () => ({ responseStatus: 500, excerpt: 'no' })
      await world.subscribe('a')
      await world.happen()
      const begun = world.clock
      const attemptedAt: number[] = []
      for (let attempt = 1; attempt <= 9; attempt++) {
        await world.dispatcher().round()
        expect(world.sent).to.have.lengthOf(attempt)
        expect(world.sent.at(-1)!.attempt).to.equal(attempt)
        attemptedAt.push((world.clock - begun) / 1_000)
        const [delivery] = await world.deliveries()
        if (attempt === 9) break
        expect(delivery).to.include({ status: 'PENDING', lease: null, ended_at: null })
        world.clock = Date.parse(delivery!.due_at) - 1
        await world.dispatcher().round()
        expect(world.sent).to.have.lengthOf(attempt)
        world.pass(1)
      }
      expect(attemptedAt).to.deep.equal([0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705])
      expect(await world.deliveries().then(([delivery]) => delivery)).to.include({ status: 'EXHAUSTED', attempts: 9 })
      expect((await world.log()).map(({ number }) => number)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9])
      world.pass(30 * DAY_MS)
      await world.dispatcher().round()
      expect(world.sent).to.have.lengthOf(9)
      expect(await world.subscription('whk_a')).to.include({ consecutive_failures: 9, exhausted: 1, status: 'ACTIVE' })
    })

    it('sends the same bytes with each attempt', async () => {
      world.answer = () => 500
      await world.subscribe('a')
      await world.happen({ data: { ü: 1 } })
      await world.dispatcher().round()
      world.pass(6_000)
      await world.dispatcher().round()
      const [first, second] = world.sent
      expect(first!.body.equals(second!.body)).to.equal(true)
      expect([first!.deliveryId, first!.eventId]).to.deep.equal([second!.deliveryId, second!.eventId])
    })

    it('waits for as long as an endpoint asks', async () => {
      world.answer = () => ({ responseStatus: 503, retryAfterMs: 60_000 })
      await world.subscribe('a')
      await world.happen()
      await world.dispatcher().round()
      expect((await world.deliveries())[0]!.due_at).to.equal(world.at(60_000))
    })

    it('calls an endpoint failing after three events that came to nothing, tells of it, and forgives it at a success', async () => {
      world.answer = () => 500
      const id = await world.subscribe('a')
      for (let i = 0; i < 3; i++) await world.happen()
      for (let attempt = 1; attempt <= 9; attempt++) {
        await world.dispatcher().round()
        world.pass(21 * HOUR_MS)
        if (attempt < 9) expect(world.changes).to.deep.equal([])
        // Days of failures alone would disable it.
        await db.updateTable('subscriptions').set({ failing_since: world.at() }).execute()
      }
      expect(world.changes.map(({ from, to, reason }) => [from, to, reason])).to.deep.equal([
        ['ACTIVE', 'FAILING', null],
      ])
      expect(world.changes[0]!.subscription).to.include({ subscription_id: id, status: 'FAILING', exhausted: 3 })
      world.answer = () => 200
      await world.happen()
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({
        ...{ status: 'ACTIVE', consecutive_failures: 0, exhausted: 0, failing_since: null },
      })
      expect(world.changes.at(-1)).to.include({ from: 'FAILING', to: 'ACTIVE' })
    })

    /** All attempts of the newest event but the last, which is due then. */
    const eightAttempts = async () => {
      for (let attempt = 1; attempt <= 8; attempt++) {
        await world.dispatcher().round()
        world.clock = Date.parse((await world.deliveries()).at(-1)!.due_at)
      }
    }

    it('disables an endpoint after five days of failures alone, and cancels what waits for it', async () => {
      world.answer = () => 500
      const id = await world.subscribe('a')
      const failingSince = (ms: number) =>
        db
          .updateTable('subscriptions')
          .set({ failing_since: world.at(-ms) })
          .execute()
      await world.happen()
      await eightAttempts()
      await failingSince(5 * DAY_MS - 1)
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({ status: 'ACTIVE', exhausted: 1 })
      await world.happen()
      await eightAttempts()
      await failingSince(5 * DAY_MS)
      await world.happen()
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({
        ...{ status: 'DISABLED', disabled_reason: 'CONSECUTIVE_FAILURES', disabled_at: world.at() },
      })
      expect(await world.statuses()).to.deep.equal(['EXHAUSTED', 'EXHAUSTED', 'CANCELLED'])
      expect(world.changes).to.have.lengthOf(1)
      expect(world.changes[0]).to.include({ to: 'DISABLED', reason: 'CONSECUTIVE_FAILURES' })
    })

    it('gives an event all of its attempts, though the one before failed to its end a month ago', async () => {
      world.answer = () => 500
      const id = await world.subscribe('a')
      await world.happen()
      await eightAttempts()
      await world.dispatcher().round()
      world.pass(31 * DAY_MS)
      await world.happen()
      await eightAttempts()
      expect((await world.subscription(id)).status).to.not.equal('DISABLED')
      await world.dispatcher().round()
      expect((await world.subscription(id)).status).to.equal('DISABLED')
    })

    it('disables an endpoint that says it is gone', async () => {
      world.answer = () => 410
      const id = await world.subscribe('a')
      for (let i = 0; i < 6; i++) await world.happen()
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({ status: 'DISABLED', disabled_reason: 'GONE' })
      expect(new Set(await world.statuses())).to.deep.equal(new Set(['CANCELLED']))
      expect(world.changes).to.have.lengthOf(1)
      world.pass(DAY_MS)
      const before = world.sent.length
      await world.dispatcher().round()
      expect(world.sent).to.have.lengthOf(before)
    })

    it('holds nothing against an endpoint that another had in its place when it was sent to', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      world.answer = () => promise
      const id = await world.subscribe('a')
      await world.happen()
      const dispatcher = world.dispatcher()
      const round = dispatcher.round()
      await until('the old endpoint is asked', () => dispatcher.stats().sending === 1)
      await db.updateTable('subscriptions').set({ endpoint_url: 'https://new.test/' }).execute()
      resolve(410)
      await round
      expect(await world.subscription(id)).to.include({
        status: 'ACTIVE',
        consecutive_failures: 0,
        failing_since: null,
      })
      expect(await world.statuses()).to.deep.equal(['PENDING'])
      world.pass(HOUR_MS)
      world.answer = () => 200
      await world.dispatcher().round()
      expect(world.sent.map(({ url }) => url)).to.deep.equal(['https://a.test/', 'https://new.test/'])
    })

    it('cancels nothing of a subscription that was enabled since it was seen to be disabled', async () => {
      const id = await world.subscribe('a')
      await world.happen()
      await cancelPendingDeliveries(db, id, world.at())
      expect(await world.statuses()).to.deep.equal(['PENDING'])
    })

    it('opens a secret for its own subscription alone, however often it was opened', async () => {
      await world.subscribe('a')
      const { secret } = await world.subscription('whk_a')
      const dispatcher = world.dispatcher()
      await world.happen()
      await dispatcher.round()
      await world.subscribe('b', { secret })
      await world.happen()
      await dispatcher.round()
      expect(world.sent.map(({ url }) => url)).to.deep.equal(['https://a.test/', 'https://a.test/'])
      expect(world.errors).to.have.lengthOf(1)
    })

    it('sends nothing to a disabled or deleted subscription', async () => {
      const id = await world.subscribe('a')
      await world.subscribe('b')
      await world.happen()
      await db.updateTable('subscriptions').set({ status: 'DISABLED' }).where('subscription_id', '=', id).execute()
      await db.deleteFrom('subscriptions').where('subscription_id', '=', 'whk_b').execute()
      await world.dispatcher().round()
      expect(world.sent).to.deep.equal([])
      expect(await world.statuses()).to.deep.equal(['CANCELLED', 'CANCELLED'])
    })

    it('sends nothing more to a subscription that is disabled while its deliveries are leased', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      world.answer = () => promise
      await world.subscribe('a', { last_success_at: world.at() })
      for (let i = 0; i < 8; i++) await world.happen()
      const dispatcher = world.dispatcher({ limits: { perLane: 2 } })
      const first = dispatcher.round()
      await until('two are being sent', () => dispatcher.stats().sending === 2)
      await db.updateTable('subscriptions').set({ status: 'DISABLED' }).execute()
      const second = dispatcher.round()
      await until('the others are let go', () => dispatcher.stats().waiting === 0)
      resolve(200)
      await Promise.all([first, second])
      expect(world.sent).to.have.lengthOf(2)
      expect(new Set(await world.statuses())).to.deep.equal(new Set(['CANCELLED']))
    })

    it('cancels a delivery whose event is older than what is kept', async () => {
      await world.subscribe('a')
      await world.happen()
      await db.deleteFrom('events').execute()
      await world.dispatcher().round()
      expect(await world.statuses()).to.deep.equal(['CANCELLED'])
      expect(world.sent).to.deep.equal([])
    })

    it('tries again when a secret cannot be opened, tells of it, and holds nothing against the endpoint', async () => {
      await world.subscribe('a', { secret: world.vault.seal(SECRET, 'subscription whk_other') })
      await world.happen()
      await world.dispatcher().round()
      expect(world.sent).to.deep.equal([])
      expect(world.errors).to.have.lengthOf(1)
      expect(await world.log().then(([attempt]) => attempt)).to.include({ error: 'secret_unreadable' })
      expect(await world.statuses()).to.deep.equal(['PENDING'])
      expect((await world.subscription('whk_a')).consecutive_failures).to.equal(0)
    })

    it('tries the newest of product and stock changes alone again', async () => {
      world.answer = () => 500
      await world.subscribe('a')
      const stock = { type: 'stock.changed' as const, resource: { type: 'stock' as const, id: 'SKU-1' } }
      const first = await world.happen(stock)
      await world.dispatcher().round()
      world.pass(1_000)
      const second = await world.happen(stock)
      world.pass(6_000)
      await world.dispatcher().round()
      expect(world.sent.map(({ eventId }) => eventId)).to.deep.equal([first, second])
      expect(await world.statuses()).to.deep.equal(['SUPERSEDED', 'PENDING'])
    })

    it('lets a change that fails give way to one that came while it was sent', async () => {
      await world.subscribe('a')
      const stock = { type: 'stock.changed' as const, resource: { type: 'stock' as const, id: 'SKU-1' } }
      await world.happen(stock)
      world.answer = async () => {
        world.pass(1_000)
        await world.happen(stock)
        return 500
      }
      await world.dispatcher().round()
      expect(await world.statuses()).to.deep.equal(['SUPERSEDED', 'PENDING'])
    })

    it('never sends one delivery from two dispatchers', async () => {
      for (const name of ['a', 'b', 'c']) await world.subscribe(name, { last_success_at: world.at() })
      for (let i = 0; i < 40; i++) await world.happen({ resource: { type: 'order', id: `ord_${i}` } })
      const [one, other] = [world.dispatcher(), world.dispatcher()]
      await Promise.all([one.round(), other.round(), one.round(), other.round()])
      const ids = world.sent.map(({ deliveryId }) => deliveryId)
      expect(ids).to.have.lengthOf(120)
      expect(new Set(ids).size).to.equal(120)
      expect(new Set(await world.statuses())).to.deep.equal(new Set(['DELIVERED']))
    })

    it('takes over what a dead dispatcher had leased, when its lease is over, and not before', async () => {
      await world.subscribe('a')
      await world.happen()
      const { promise, resolve } = Promise.withResolvers<number>()
      world.answer = () => promise
      const dead = world.dispatcher()
      const dying = dead.round()
      await until('it is being sent', () => world.sent.length === 1)
      world.answer = () => 204
      const heir = world.dispatcher()
      world.pass(59_999)
      await heir.round()
      expect(world.sent).to.have.lengthOf(1)
      world.pass(1)
      await heir.round()
      expect(world.sent).to.have.lengthOf(2)
      resolve(500)
      await dying
      const [delivery] = await world.deliveries()
      expect(delivery).to.include({ status: 'DELIVERED', response_status: 204, attempts: 1 })
      expect(await world.subscription('whk_a')).to.include({ consecutive_failures: 0 })
    })

    it('gives back what it has not sent when it ends', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      world.answer = () => promise
      await world.subscribe('a', { last_success_at: world.at() })
      for (let i = 0; i < 10; i++) await world.happen()
      const dispatcher = world.dispatcher()
      const round = dispatcher.round()
      await until('four are being sent', () => dispatcher.stats().sending === 4)
      expect(dispatcher.stats().waiting).to.equal(6)
      const ending = dispatcher[Symbol.asyncDispose]()
      // It waits for those four, though not for long.
      resolve(200)
      await Promise.all([ending, round])
      const left = (await world.deliveries()).filter(({ status }) => status === 'PENDING')
      expect(left.map(({ lease, due_at }) => ({ lease, due_at }))).to.deep.equal(
        Array.from({ length: 6 }, () => ({ lease: null, due_at: world.at() })),
      )
      expect((await world.statuses()).sort()).to.deep.equal([
        ...Array.from({ length: 4 }, () => 'DELIVERED'),
        ...Array.from({ length: 6 }, () => 'PENDING'),
      ])
      await world.dispatcher().round()
      expect(world.sent).to.have.lengthOf(10)
    })

    it('ends though an endpoint hangs, and leaves the attempt to the next', async () => {
      const { promise, resolve } = Promise.withResolvers<number>()
      world.answer = () => promise
      await world.subscribe('a')
      await world.happen()
      const dispatcher = world.dispatcher()
      const round = dispatcher.round()
      await until('it is being sent', () => world.sent.length === 1)
      mock.timers.enable({ apis: ['setTimeout'] })
      const ending = dispatcher[Symbol.asyncDispose]()
      mock.timers.tick(2_000)
      await ending
      mock.timers.reset()
      resolve(200)
      await round
      expect(dispatcher.stats().unwritten).to.equal(0)
      expect(await world.statuses()).to.deep.equal(['PENDING'])
      world.pass(60_000)
      await world.dispatcher().round()
      expect(await world.statuses()).to.deep.equal(['DELIVERED'])
    })

    it('notes the successes of an endpoint once a second, and each of its failures', async () => {
      const id = await world.subscribe('a')
      const noted: (string | null)[] = []
      for (const pause of [0, 400, 400, 400]) {
        world.pass(pause)
        await world.happen()
        await world.dispatcher().round()
        noted.push((await world.subscription(id)).last_success_at)
      }
      const begun = world.clock - 1_200
      expect(noted.map((at) => Date.parse(at!) - begun)).to.deep.equal([0, 0, 0, 1_200])
      world.answer = () => 500
      await world.happen()
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({ consecutive_failures: 1, failing_since: world.at() })
      world.answer = () => 200
      await world.happen()
      await world.dispatcher().round()
      expect(await world.subscription(id)).to.include({ consecutive_failures: 0, failing_since: null })
    })

    it('gives a leased delivery back when there is too little of the lease left', async () => {
      await world.subscribe('a', { last_success_at: world.at() })
      for (let i = 0; i < 2; i++) await world.happen()
      world.answer = () => {
        world.pass(45_000)
        return 200
      }
      await world.dispatcher({ limits: { perLane: 1 } }).round()
      expect(world.sent).to.have.lengthOf(1)
      const waiting = (await world.deliveries()).filter(({ status }) => status === 'PENDING')
      expect(waiting.map(({ lease, due_at }) => ({ lease, due_at }))).to.deep.equal([
        { lease: null, due_at: world.at() },
      ])
      await world.dispatcher({ limits: { perLane: 1 } }).round()
      expect(world.sent).to.have.lengthOf(2)
      expect(await world.statuses()).to.deep.equal(['DELIVERED', 'DELIVERED'])
    })

    it('sends no more than it can write: what a killed process has not written is sent again', async () => {
      for (let n = 0; n < 20; n++) await world.subscribe(`sound${n}`, { last_success_at: world.at() })
      for (let n = 0; n < 30; n++) await world.happen({ resource: { type: 'order', id: `ord_${n}` } })
      const written = Promise.withResolvers<void>()
      let [sent, behind] = [0, 0]
      const dispatcher: WebhookDispatcher = world.dispatcher({
        db: slowToWrite(db, written.promise),
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
      expect(new Set(await world.statuses())).to.deep.equal(new Set(['DELIVERED']))
      expect([sent, behind < 128 + 256]).to.deep.equal([600, true])
    })

    it('writes what came of an attempt when the store is back', async () => {
      await world.subscribe('a')
      await world.happen()
      world.answer = async () => {
        await db.schema.alterTable('deliveries').renameTo('away').execute()
        return 200
      }
      const round = world.dispatcher().round()
      await until('it was tried in vain', () => world.errors.length > 0)
      await db.schema.alterTable('away').renameTo('deliveries').execute()
      await round
      expect(await world.statuses()).to.deep.equal(['DELIVERED'])
      expect(world.sent).to.have.lengthOf(1)
    })
  })
}

/** Its transactions wait until then. */
function slowToWrite(db: Database, until: Promise<void>): Database {
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
