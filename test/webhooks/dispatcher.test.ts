import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { createDeliveryFixture, type DeliveryFixture } from './dispatcher-fixture.ts'
import { PREVIOUS_SECRET, SECRET } from './webhook-request-fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

for (const store of stores()) {
  describe(`the dispatcher on ${store.name}`, () => {
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

    it('sends each event to each subscription once, signed, with the body that the API lists', async () => {
      await fixture.subscribe('a', {
        previous_secret: fixture.vault.encrypt(PREVIOUS_SECRET, 'subscription whk_a'),
        previous_secret_expires_at: fixture.at(1_000),
      })
      await fixture.subscribe('b', { event_types: '["order.shipped"]' })
      const event = await fixture.addEvent({ data: { total: '10.00' } })
      const dispatcher = fixture.dispatcher()
      await dispatcher.round()
      await dispatcher.round()
      expect(fixture.sent).to.have.lengthOf(1)
      const [{ body, deliveryId, ...request }] = fixture.sent as [DeliveryFixture['sent'][number]]
      expect(request).to.deep.equal({
        url: 'https://a.test/',
        eventId: event,
        type: 'order.confirmed',
        mode: 'sandbox',
        attempt: 1,
        secrets: [SECRET, PREVIOUS_SECRET],
      })
      expect(JSON.parse(body.toString())).to.deep.equal({
        id: event,
        type: 'order.confirmed',
        created_at: fixture.at(),
        api_version: '1',
        mode: 'sandbox',
        tenant_id: 'acme',
        resource: { type: 'order', id: 'ord_1' },
        sequence: 1,
        data: { total: '10.00' },
      })
      const [delivery] = await fixture.deliveries()
      expect(delivery).to.include({ delivery_id: deliveryId, status: 'DELIVERED', attempts: 1, response_status: 200 })
      expect(delivery).to.include({ lease: null, ended_at: fixture.at() })
      expect(await fixture.log()).to.deep.equal([
        { number: 1, at: fixture.at(), duration_ms: 5, response_status: 200, error: null, response_excerpt: null },
      ])
      expect(await fixture.subscription('whk_a')).to.include({ last_success_at: fixture.at(), consecutive_failures: 0 })
    })

    it('signs with the new secret only once the old one has expired', async () => {
      await fixture.subscribe('a', { previous_secret: 'not even sealed', previous_secret_expires_at: fixture.at() })
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(fixture.sent[0]!.secrets).to.deep.equal([SECRET])
    })

    it('follows the whole retry schedule across restarts, and then stops', async () => {
      fixture.answer = () => ({ responseStatus: 500, excerpt: 'no' })
      await fixture.subscribe('a')
      await fixture.addEvent()
      const begun = fixture.clock
      const attemptedAt: number[] = []
      for (let attempt = 1; attempt <= 9; attempt++) {
        await fixture.dispatcher().round()
        expect(fixture.sent).to.have.lengthOf(attempt)
        expect(fixture.sent.at(-1)!.attempt).to.equal(attempt)
        attemptedAt.push((fixture.clock - begun) / 1_000)
        const [delivery] = await fixture.deliveries()
        if (attempt === 9) break
        expect(delivery).to.include({ status: 'PENDING', lease: null, ended_at: null })
        fixture.clock = Date.parse(delivery!.due_at) - 1
        await fixture.dispatcher().round()
        expect(fixture.sent).to.have.lengthOf(attempt)
        fixture.advance(1)
      }
      expect(attemptedAt).to.deep.equal([0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705])
      expect(await fixture.deliveries().then(([delivery]) => delivery)).to.include({ status: 'EXHAUSTED', attempts: 9 })
      expect((await fixture.log()).map(({ number }) => number)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9])
      fixture.advance(30 * DAY_MS)
      await fixture.dispatcher().round()
      expect(fixture.sent).to.have.lengthOf(9)
      expect(await fixture.subscription('whk_a')).to.include({
        consecutive_failures: 9,
        exhausted: 1,
        status: 'ACTIVE',
      })
    })

    it('sends the same bytes with each attempt', async () => {
      fixture.answer = () => 500
      await fixture.subscribe('a')
      await fixture.addEvent({ data: { ü: 1 } })
      await fixture.dispatcher().round()
      fixture.advance(6_000)
      await fixture.dispatcher().round()
      const [first, second] = fixture.sent
      expect(first!.body.equals(second!.body)).to.equal(true)
      expect([first!.deliveryId, first!.eventId]).to.deep.equal([second!.deliveryId, second!.eventId])
    })

    it('waits for as long as Retry-After asks', async () => {
      fixture.answer = () => ({ responseStatus: 503, retryAfterMs: 60_000 })
      await fixture.subscribe('a')
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect((await fixture.deliveries())[0]!.due_at).to.equal(fixture.at(60_000))
    })

    it('decrypts a secret for its own subscription only', async () => {
      await fixture.subscribe('a')
      const { secret } = await fixture.subscription('whk_a')
      const dispatcher = fixture.dispatcher()
      await fixture.addEvent()
      await dispatcher.round()
      await fixture.subscribe('b', { secret })
      await fixture.addEvent()
      await dispatcher.round()
      expect(fixture.sent.map(({ url }) => url)).to.deep.equal(['https://a.test/', 'https://a.test/'])
      expect(fixture.errors).to.have.lengthOf(1)
    })

    it('cancels a delivery whose event is past its retention time', async () => {
      await fixture.subscribe('a')
      await fixture.addEvent()
      await db.deleteFrom('events').execute()
      await fixture.dispatcher().round()
      expect(await fixture.statuses()).to.deep.equal(['CANCELLED'])
      expect(fixture.sent).to.deep.equal([])
    })

    it('retries when a secret cannot be decrypted, reports it, and does not count it against the endpoint', async () => {
      await fixture.subscribe('a', { secret: fixture.vault.encrypt(SECRET, 'subscription whk_other') })
      await fixture.addEvent()
      await fixture.dispatcher().round()
      expect(fixture.sent).to.deep.equal([])
      expect(fixture.errors).to.have.lengthOf(1)
      expect(await fixture.log().then(([attempt]) => attempt)).to.include({ error: 'secret_unreadable' })
      expect(await fixture.statuses()).to.deep.equal(['PENDING'])
      expect((await fixture.subscription('whk_a')).consecutive_failures).to.equal(0)
    })

    it('retries only the newest product or stock change', async () => {
      fixture.answer = () => 500
      await fixture.subscribe('a')
      const stock = { type: 'stock.changed' as const, resource: { type: 'stock' as const, id: 'SKU-1' } }
      const first = await fixture.addEvent(stock)
      await fixture.dispatcher().round()
      fixture.advance(1_000)
      const second = await fixture.addEvent(stock)
      fixture.advance(6_000)
      await fixture.dispatcher().round()
      expect(fixture.sent.map(({ eventId }) => eventId)).to.deep.equal([first, second])
      expect(await fixture.statuses()).to.deep.equal(['SUPERSEDED', 'PENDING'])
    })

    it('drops a failed change if a newer one came while it was sent', async () => {
      await fixture.subscribe('a')
      const stock = { type: 'stock.changed' as const, resource: { type: 'stock' as const, id: 'SKU-1' } }
      await fixture.addEvent(stock)
      fixture.answer = async () => {
        fixture.advance(1_000)
        await fixture.addEvent(stock)
        return 500
      }
      await fixture.dispatcher().round()
      expect(await fixture.statuses()).to.deep.equal(['SUPERSEDED', 'PENDING'])
    })

    it('never sends a delivery from two dispatchers', async () => {
      for (const name of ['a', 'b', 'c']) await fixture.subscribe(name, { last_success_at: fixture.at() })
      for (let i = 0; i < 40; i++) await fixture.addEvent({ resource: { type: 'order', id: `ord_${i}` } })
      const [one, other] = [fixture.dispatcher(), fixture.dispatcher()]
      await Promise.all([one.round(), other.round(), one.round(), other.round()])
      const ids = fixture.sent.map(({ deliveryId }) => deliveryId)
      expect(ids).to.have.lengthOf(120)
      expect(new Set(ids).size).to.equal(120)
      expect(new Set(await fixture.statuses())).to.deep.equal(new Set(['DELIVERED']))
    })
  })
}
