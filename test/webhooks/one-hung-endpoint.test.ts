import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { createDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

for (const store of stores()) {
  describe(`endpoints beside one that hangs, on ${store.name}`, () => {
    let db: Database
    let world: DeliveryFixture
    let stack: AsyncDisposableStack
    let well: WebhookReceiver
    let hung: WebhookReceiver

    beforeEach(async () => {
      stack = new AsyncDisposableStack()
      db = await store.open()
      world = createDeliveryFixture(db)
      well = stack.use(await startWebhookReceiver((_req, res) => res.end()))
      hung = stack.use(await startWebhookReceiver(() => {}))
    })
    afterEach(async () => {
      // Those that hang are cut off first, so that the end does not wait for them.
      await stack.disposeAsync()
      await world.end()
      await store.close()
    })

    function dispatch() {
      const sender = stack.use(
        createWebhookSender({ rules: { ports: [443], allow: ['127.0.0.1'] }, now: () => world.clock }),
      )
      // One that hangs does so for as long as the test takes.
      return world.dispatcher({ send: (parcel) => sender.send(parcel, { totalMs: 600_000 }), intervalMs: 5 })
    }
    const count = async (id: string, status: 'DELIVERED' | 'PENDING') =>
      (await world.deliveries()).filter((row) => row.subscription_id === id && row.status === status).length

    it('are sent all that is theirs while it has not answered once', async () => {
      const names = ['a', 'b', 'c', 'd']
      for (const name of names) await world.subscribe(name, { endpoint_url: `${well.url}/${name}` })
      for (const name of ['x', 'y']) await world.subscribe(name, { endpoint_url: `${hung.url}/${name}` })
      const dispatcher = dispatch()
      for (let i = 0; i < 60; i++) await world.happen({ resource: { type: 'order', id: `ord_${i}` } })
      await until('all others are delivered', () => {
        const { sending, unwritten } = dispatcher.stats()
        return well.received.length === 240 && sending === hung.received.length && unwritten === 0
      })
      for (const name of names) expect(await count(`whk_${name}`, 'DELIVERED')).to.equal(60)
      expect(await count('whk_x', 'PENDING')).to.equal(60)
      expect(hung.received.length).to.be.within(2, 8)
    })

    it('are sent what comes later, too', async () => {
      await world.subscribe('a', { endpoint_url: well.url })
      await world.subscribe('x', { endpoint_url: hung.url })
      const dispatcher = dispatch()
      await world.happen()
      await until('it hangs', () => hung.received.length === 1 && well.received.length === 1)
      for (let i = 2; i <= 5; i++) {
        await world.happen()
        await until('the next is there', () => well.received.length === i)
      }
      const sequences = well.received.map(({ body }) => (JSON.parse(body.toString()) as { sequence: number }).sequence)
      expect(sequences).to.deep.equal([1, 2, 3, 4, 5])
      expect(dispatcher.stats().sending).to.be.at.least(1)
    })

    it('have their mode and event on each delivery', async () => {
      await world.subscribe('a', { endpoint_url: well.url })
      dispatch()
      await world.happen({ type: 'order.shipped' })
      await until('it is there', () => well.received.length === 1)
      expect(well.received[0]!.headers).to.include({
        ...{ 'x-service-event': 'order.shipped', 'x-service-mode': 'sandbox', 'x-service-attempt': '1' },
      })
    })
  })
}
