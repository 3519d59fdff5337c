import { expect } from 'chai'
import { wakeFeeds } from '../../src/changes/feed-wakeup.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import {
  createFakeSystems,
  createTestFeed,
  type FakeSystems,
  productOf,
  readEventLines,
  toFeedTenant,
} from './fake-systems.ts'

for (const store of stores()) {
  describe(`change feeds side by side on ${store.name}`, () => {
    let db: Database
    let world: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      world = createFakeSystems()
    })
    afterEach(() => store.close())

    const asked = () => world.products.asked.length

    it('is done by one process for all', async () => {
      await using one = createTestFeed(db, world, { holder: 'one' })
      await using two = createTestFeed(db, world, { holder: 'two' })
      await one.tick()
      const before = asked()
      await two.tick()
      expect(asked()).to.equal(before)
      for (let second = 0; second < 60; second += 4) {
        world.now += 4_000
        await Promise.all([one.tick(), two.tick()])
      }
      expect(asked()).to.equal(before + 15)
    })

    it('is taken over when its process is gone', async () => {
      const one = createTestFeed(db, world, { holder: 'one' })
      await using two = createTestFeed(db, world, { holder: 'two' })
      await one.tick()
      world.products.rows.push(productOf('A', world.at()))
      world.now += 19_000
      await two.tick()
      expect(await readEventLines(db)).to.deep.equal([])
      world.now += 1_000
      await two.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
      const before = asked()
      await one.tick()
      expect(asked()).to.equal(before)
      await one[Symbol.asyncDispose]()
      await two.tick()
      expect(asked()).to.equal(before + 1)
    })

    it('is let go of at an orderly end', async () => {
      const one = createTestFeed(db, world, { holder: 'one' })
      await one.tick()
      await one[Symbol.asyncDispose]()
      await using two = createTestFeed(db, world, { holder: 'two' })
      const before = asked()
      await two.tick()
      expect(asked()).to.equal(before + 1)
    })

    it('tells of nothing twice when two are at it', async () => {
      const many = Array.from({ length: 300 }, (_, at) => `P-${at}`)
      await using one = createTestFeed(db, world, { holder: 'one' })
      await one.tick()
      world.products.rows.push(...many.map((sku, at) => productOf(sku, world.at(at))))
      world.products.meanwhile = async () => {
        // The lease is over while the first is in the middle of its walk.
        if (asked() === 3) {
          world.now += 30_000
          await two.tick()
        }
      }
      await using two = createTestFeed(db, world, { holder: 'two' })
      await one.tick()
      await two.tick()
      expect((await readEventLines(db)).sort()).to.deep.equal(many.map((sku) => `product.updated ${sku}`).sort())
    })

    it('forgets no change when one that came too late still looks at the beginning', async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      // One name for both: each believes that it holds the lease.
      await using late = createTestFeed(db, world)
      await using other = createTestFeed(db, world)
      world.products.meanwhile = () => (asked() === 1 ? promise : undefined)
      const hung = late.tick()
      await until('it asks', () => asked() === 1)
      await other.tick()
      world.products.rows.push(productOf('A', world.at()))
      resolve()
      await hung
      await late.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('lets no hung source hold up another, nor a merchant', async () => {
      const zenith = createFakeSystems()
      await using feed = createTestFeed(db, world, { upstreams: [toFeedTenant(world), toFeedTenant(zenith, 'zenith')] })
      await feed.tick()
      const { promise, resolve } = Promise.withResolvers<void>()
      world.orders.meanwhile = () => promise
      const hung = feed.tick()
      world.products.rows.push(productOf('A', world.at()))
      zenith.products.rows.push(productOf('Z', world.at()))
      const next = feed.tick()
      await until('both were told of', async () => (await readEventLines(db)).length === 2)
      expect(world.orders.asked).to.have.length(2)
      resolve()
      await Promise.all([hung, next])
    })

    it('comes back later and later while a system fails, and goes on when it is well', async () => {
      await using feed = createTestFeed(db, world)
      await feed.tick()
      world.products.meanwhile = () => Promise.reject(new UpstreamError('unavailable', 'down'))
      const times: number[] = []
      const start = world.now
      let before = asked()
      for (let second = 0; second < 200; second += 1) {
        await feed.tick()
        if (asked() > before) times.push((world.now - start) / 1_000)
        before = asked()
        world.now += 1_000
      }
      expect(times).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 123, 183])
      expect(world.prices.asked.length).to.be.above(150)
      expect(feed.errors).to.deep.equal([])
      world.products.meanwhile = () => {}
      world.products.rows.push(productOf('A', world.at()))
      world.now += 60_000
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.updated A'])
    })

    it('leaves alone what a system does not offer', async () => {
      let looked = 0
      world.prices.read = () => {
        looked += 1
        return Promise.reject(new UpstreamError('not_configured', 'not there'))
      }
      await using feed = createTestFeed(db, world)
      for (let second = 0; second < 10; second += 1) {
        await feed.tick()
        world.now += 1_000
      }
      expect(looked).to.equal(1)
    })

    it('ends without waiting for a system that hangs', async () => {
      const feed = createTestFeed(db, world)
      await feed.tick()
      const { promise, resolve } = Promise.withResolvers<void>()
      world.orders.meanwhile = () => promise
      const hung = feed.tick()
      await until('it is asked', () => world.orders.asked.length === 2)
      await feed[Symbol.asyncDispose]()
      resolve()
      await hung
      expect(feed.errors).to.deep.equal([])
    })

    it('is woken by a hint, for that system alone', async () => {
      const start = Date.now()
      world.now = start
      await using _ = createTestFeed(db, world, { intervalMs: 3_600_000, now: () => Date.now(), random: () => 0 })
      await until('all was asked once', () => asked() === 1 && world.prices.asked.length === 1)
      await until('the leases are held', async () => (await db.selectFrom('leases').selectAll().execute()).length > 0)
      await wakeFeeds(db, 'acme', ['sandbox'], 'inventory', Date.now())
      await until('it is asked again', () => asked() === 2)
      expect(world.prices.asked).to.have.length(1)
    })
  })
}
