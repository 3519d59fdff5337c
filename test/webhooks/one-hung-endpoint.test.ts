import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture, type DeliveryFixture } from './dispatcher-fixture.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

for (const store of stores()) {
  describe(`endpoints next to a hanging one, on ${store.name}`, () => {
    let db: Database
    let fixture: DeliveryFixture
    let stack: AsyncDisposableStack
    let healthy: WebhookReceiver
    let hanging: WebhookReceiver

    beforeEach(async () => {
      stack = new AsyncDisposableStack()
      db = await store.open()
      fixture = createDeliveryFixture(db)
      healthy = stack.use(await startWebhookReceiver((_req, res) => res.end()))
      hanging = stack.use(await startWebhookReceiver(() => {}))
    })
    afterEach(async () => {
      // Closes the hanging connections first, so that disposal does not wait for them.
      await stack.disposeAsync()
      await fixture.end()
      await store.close()
    })

    function dispatch() {
      const sender = stack.use(
        createWebhookSender({ rules: { ports: [443], allow: ['127.0.0.1'] }, now: () => fixture.clock }),
      )
      // A hanging endpoint hangs for as long as the test takes.
      return fixture.dispatcher({ send: (request) => sender.send(request, { totalMs: 600_000 }), intervalMs: 5 })
    }
    const count = async (id: string, status: 'DELIVERED' | 'PENDING') =>
      (await fixture.deliveries()).filter((row) => row.subscription_id === id && row.status === status).length

    it('get all of their deliveries although it never responds', async () => {
      const names = ['a', 'b', 'c', 'd']
      for (const name of names) await fixture.subscribe(name, { endpoint_url: `${healthy.url}/${name}` })
      for (const name of ['x', 'y']) await fixture.subscribe(name, { endpoint_url: `${hanging.url}/${name}` })
      const dispatcher = dispatch()
      for (let i = 0; i < 60; i++) await fixture.addEvent({ resource: { type: 'order', id: `ord_${i}` } })
      await until('all others are delivered', () => {
        const { sending, unwritten } = dispatcher.stats()
        return healthy.received.length === 240 && sending === hanging.received.length && unwritten === 0
      })
      for (const name of names) expect(await count(`whk_${name}`, 'DELIVERED')).to.equal(60)
      expect(await count('whk_x', 'PENDING')).to.equal(60)
      expect(hanging.received.length).to.be.within(2, 8)
    })

    it('get later events, too', async () => {
      await fixture.subscribe('a', { endpoint_url: healthy.url })
      await fixture.subscribe('x', { endpoint_url: hanging.url })
      const dispatcher = dispatch()
      await fixture.addEvent()
      await until('it hangs', () => hanging.received.length === 1 && healthy.received.length === 1)
      for (let i = 2; i <= 5; i++) {
        await fixture.addEvent()
        await until('the next is there', () => healthy.received.length === i)
      }
      const sequences = healthy.received.map(
        ({ body }) => (JSON.parse(body.toString()) as { sequence: number }).sequence,
      )
      expect(sequences).to.deep.equal([1, 2, 3, 4, 5])
      expect(dispatcher.stats().sending).to.be.at.least(1)
    })

    it('get their mode and event on each delivery', async () => {
      await fixture.subscribe('a', { endpoint_url: healthy.url })
      dispatch()
      await fixture.addEvent({ type: 'order.shipped' })
      await until('it is there', () => healthy.received.length === 1)
      expect(healthy.received[0]!.headers).to.include({
        'x-service-event': 'order.shipped',
        'x-service-mode': 'sandbox',
        'x-service-attempt': '1',
      })
    })
  })
}
