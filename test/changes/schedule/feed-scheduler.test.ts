import { expect } from 'chai'
import { wakeFeeds } from '../../../src/changes/schedule/feed-wakeup.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed, toFeedTenant } from '../test-feed.ts'

for (const store of stores()) {
  describe(`change feeds of several processes on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
    })
    afterEach(() => store.close())

    const queries = () => systems.products.queries.length

    it('are read by one process for all', async () => {
      await using one = createTestFeed(db, systems, { holder: 'one' })
      await using two = createTestFeed(db, systems, { holder: 'two' })
      await one.tick()
      const before = queries()
      await two.tick()
      expect(queries()).to.equal(before)
      for (let second = 0; second < 60; second += 4) {
        systems.now += 4_000
        await Promise.all([one.tick(), two.tick()])
      }
      expect(queries()).to.equal(before + 15)
    })

    it('are taken over when their process is gone', async () => {
      const one = createTestFeed(db, systems, { holder: 'one' })
      await using two = createTestFeed(db, systems, { holder: 'two' })
      await one.tick()
      systems.products.rows.push(productOf('A', systems.at()))
      systems.now += 19_000
      await two.tick()
      expect(await readEventLines(db)).to.deep.equal([])
      systems.now += 1_000
      await two.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
      const before = queries()
      await one.tick()
      expect(queries()).to.equal(before)
      await one[Symbol.asyncDispose]()
      await two.tick()
      expect(queries()).to.equal(before + 1)
    })

    it('are released at an orderly shutdown', async () => {
      const one = createTestFeed(db, systems, { holder: 'one' })
      await one.tick()
      await one[Symbol.asyncDispose]()
      await using two = createTestFeed(db, systems, { holder: 'two' })
      const before = queries()
      await two.tick()
      expect(queries()).to.equal(before + 1)
    })

    it('report nothing twice when two processes read them', async () => {
      const many = Array.from({ length: 300 }, (_, at) => `P-${at}`)
      await using one = createTestFeed(db, systems, { holder: 'one' })
      await one.tick()
      systems.products.rows.push(...many.map((sku, at) => productOf(sku, systems.at(at))))
      systems.products.beforeResponse = async () => {
        // The lease expires during the first process's run.
        if (queries() === 3) {
          systems.now += 30_000
          await two.tick()
        }
      }
      await using two = createTestFeed(db, systems, { holder: 'two' })
      await one.tick()
      await two.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(many.map((sku) => `product.updated ${sku}`).sort())
    })

    it('lose no change when a late process still reads the baseline', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // Both use one holder name, so each believes that it holds the lease.
      await using late = createTestFeed(db, systems)
      await using other = createTestFeed(db, systems)
      systems.products.beforeResponse = () => (queries() === 1 ? promise : undefined)
      const hung = late.tick()
      await until('it asks', () => queries() === 1)
      await other.tick()
      systems.products.rows.push(productOf('A', systems.at()))
      resolve()
      await hung
      await late.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('are not delayed by a hanging source of the same or another merchant', async () => {
      const zenith = createFakeSystems()
      await using feed = createTestFeed(db, systems, {
        upstreams: [toFeedTenant(systems), toFeedTenant(zenith, 'zenith')],
      })
      await feed.tick()
      const { promise, resolve } = Promise.withResolvers<void>()
      systems.orders.beforeResponse = () => promise
      const hung = feed.tick()
      systems.products.rows.push(productOf('A', systems.at()))
      zenith.products.rows.push(productOf('Z', systems.at()))
      const next = feed.tick()
      await until('both were told of', async () => (await readEventLines(db)).length === 2)
      expect(systems.orders.queries).to.have.length(2)
      resolve()
      await Promise.all([hung, next])
    })

    it('back off while a system fails, and continue when it recovers', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      systems.products.beforeResponse = () => Promise.reject(new UpstreamError('unavailable', 'down'))
      const times: number[] = []
      const start = systems.now
      let before = queries()
      for (let second = 0; second < 200; second += 1) {
        await feed.tick()
        if (queries() > before) times.push((systems.now - start) / 1_000)
        before = queries()
        systems.now += 1_000
      }
      expect(times).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 123, 183])
      expect(systems.prices.queries.length).to.be.above(150)
      expect(feed.errors).to.deep.equal([])
      systems.products.beforeResponse = () => {}
      systems.products.rows.push(productOf('A', systems.at()))
      systems.now += 60_000
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('skip changes that a system does not offer', async () => {
      let looked = 0
      systems.prices.read = () => {
        looked += 1
        return Promise.reject(new UpstreamError('not_configured', 'not there'))
      }
      await using feed = createTestFeed(db, systems)
      for (let second = 0; second < 10; second += 1) {
        await feed.tick()
        systems.now += 1_000
      }
      expect(looked).to.equal(1)
    })

    it('shut down without waiting for a hanging system', async () => {
      const feed = createTestFeed(db, systems)
      await feed.tick()
      const { promise, resolve } = Promise.withResolvers<void>()
      systems.orders.beforeResponse = () => promise
      const hung = feed.tick()
      await until('it is asked', () => systems.orders.queries.length === 2)
      await feed[Symbol.asyncDispose]()
      resolve()
      await hung
      expect(feed.errors).to.deep.equal([])
    })

    it('are woken for one system only', async () => {
      const start = Date.now()
      systems.now = start
      await using _ = createTestFeed(db, systems, { intervalMs: 3_600_000, now: () => Date.now(), random: () => 0 })
      await until('all was asked once', () => queries() === 1 && systems.prices.queries.length === 1)
      await until('the leases are held', async () => (await db.selectFrom('leases').selectAll().execute()).length > 0)
      await wakeFeeds(db, 'acme', ['sandbox'], 'inventory', Date.now())
      await until('it is asked again', () => queries() === 2)
      expect(systems.prices.queries).to.have.length(1)
    })
  })
}
