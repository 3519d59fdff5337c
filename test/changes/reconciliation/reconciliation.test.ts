import { expect } from 'chai'
import { sql } from 'kysely'
import { UpstreamError } from '../../../src/errors.ts'
import type { Stock } from '../../../src/ports/inventory.ts'
import type { Database } from '../../../src/storage/database.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { createFakeSystems, type FakeSystems } from '../fake-systems.ts'
import { readEventData, readEventLines } from '../read-events.ts'
import { productOf } from '../sample-products.ts'
import { createTestFeed, toFeedTenant } from '../test-feed.ts'

for (const store of stores()) {
  describe(`reconciliation on ${store.name}`, () => {
    let db: Database
    let systems: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      systems = createFakeSystems()
      systems.products.rows = [productOf('A', systems.at(-60_000)), productOf('B', systems.at(-50_000))]
      systems.stock.rows = [level('A', 20), level('B', 20)]
      systems.prices.rows = [{ sku: 'A', updated_at: systems.at(-60_000) }]
    })
    afterEach(() => store.close())

    function level(sku: string, available: number, expected: Stock['expected'] = []) {
      return { sku, stock: { available, expected }, updated_at: systems.at() }
    }
    function moveStock(sku: string, available: number, expected: Stock['expected'] = []) {
      systems.now += 1_000
      systems.stock.rows = systems.stock.rows.filter((row) => row.sku !== sku)
      systems.stock.rows.push(level(sku, available, expected))
    }
    /** Runs two rounds: a reported change must not be reported again. */
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      await feed.tick()
    }

    async function minutes(feed: { tick(): Promise<void> }, count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        systems.now += 66_000
        await feed.tick()
      }
    }

    it('reports a product as deleted when it is missing twice', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      systems.products.rows = systems.products.rows.filter(({ sku }) => sku !== 'A')
      await minutes(feed, 1)
      expect(await readEventLines(db)).to.deep.equal([])
      await minutes(feed, 3)
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated A'])
      systems.products.rows.push(productOf('A', systems.at()))
      await minutes(feed, 2)
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated A', 'product.updated A'])
    })

    it('reports a deletion only after responses that are five seconds apart', async () => {
      systems = createFakeSystems({ reportsStock: false })
      systems.products.rows = [productOf('A', systems.at(-60_000)), productOf('B', systems.at(-50_000))]
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      systems.items = async () => [{ sku: 'B', product: productOf('B', systems.at(-50_000)), stock: null }]
      for (let second = 0; second < 5; second++) {
        systems.now += 1_000
        await feed.tick()
      }
      expect(await readEventLines(db)).to.deep.equal([])
      systems.now += 1_000
      await feed.tick()
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated A'])
    })

    it('does not report a product that was missing once, or while inventory fails', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const answers = [
        async () => [],
        async () => Promise.reject(new UpstreamError('timeout', 'slow')),
        async (skus: readonly string[]) =>
          skus.map((sku) => ({ sku, product: productOf(sku, systems.at()), stock: null })),
        async () => [],
      ]
      let at = 0
      systems.items = (skus) => (answers[at++] ?? answers[2]!)(skus)
      await minutes(feed, 8)
      expect(at).to.be.above(4)
      expect(await readEventLines(db)).to.deep.equal([])
    })

    for (const count of [20, 300]) {
      it(`reports no deletion while an inventory of ${count} products returns nothing at all`, async () => {
        systems.products.rows = Array.from({ length: count }, (_, n) => productOf(`S${n}`, systems.at()))
        await using feed = createTestFeed(db, systems)
        await feed.tick()
        const { items } = systems
        systems.items = async () => []
        await minutes(feed, 8)
        expect(await readEventLines(db)).to.deep.equal([])
        systems.items = items
        systems.products.rows = systems.products.rows.filter(({ sku }) => sku !== 'S7')
        await minutes(feed, 8)
        expect(await readEventLines(db)).to.deep.equal(['product.deactivated S7'])
      })
    }

    it('does not report a product as deleted that exists but cannot be read', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      // As adapters do: unreadable rows are left out, and a response without any readable row is an error.
      systems.items = async (skus) => {
        if (!skus.includes('B')) throw new UpstreamError('invalid', 'no row can be read')
        return [{ sku: 'B', product: productOf('B', systems.at()), stock: null }]
      }
      await minutes(feed, 5)
      expect(await readEventLines(db)).to.deep.equal([])
      systems.items = async (skus) =>
        skus.includes('B') ? [{ sku: 'B', product: productOf('B', systems.at()), stock: null }] : []
      await minutes(feed, 2)
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated A'])
    })

    it('finds changes without a change time', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      Object.assign(systems.products.rows[0]!, { tags: ['sale'] })
      Object.assign(systems.stock.rows[1]!, { stock: { available: 0, expected: [] }, updated_at: systems.at(-90_000) })
      systems.stock.queries = []
      await minutes(feed, 2)
      expect((await readEventLines(db)).sort()).to.deep.equal(['product.updated A', 'stock.changed B'])
    })

    // SQLite has no row locks.
    if (store.name === 'PostgreSQL')
      it('locks the rows that it compares in the common order', async () => {
        await using feed = createTestFeed(db, systems)
        await feed.tick()
        systems.items = async () => [{ sku: 'B', product: productOf('B', systems.at()), stock: null }]
        systems.now += 66_000
        const lock = (transaction: Database, sku: string) =>
          transaction
            .selectFrom('resources')
            .select('id')
            .where('type', '=', 'product')
            .where('id', '=', sku)
            .forUpdate()
            .noWait()
            .execute()
        const reconciling = await db.transaction().execute(async (transaction) => {
          await lock(transaction, 'A')
          const round = feed.tick()
          const waiting = sql`select 1 from pg_locks where not granted`
          await until('a lock on A is waited for', async () => (await waiting.execute(db)).rows.length > 0)
          // Other transactions lock B for a moment. A transaction that waits for A must not hold it.
          const isFree = () => db.transaction().execute((other) => lock(other, 'B'))
          await until('B is free', () => isFree().then(Boolean, () => false))
          return [round]
        })
        await Promise.all(reconciling)
      })

    it('reads a limited number of SKUs at a time, the longest unchecked first', async () => {
      systems.products.rows = Array.from({ length: 450 }, (_, at) => productOf(`P-${at}`, systems.at(-60_000 + at)))
      systems.stock.rows = []
      await using feed = createTestFeed(db, systems, { upstreams: [{ ...toFeedTenant(systems), hasMirror: false }] })
      await feed.tick()
      systems.itemQueries = []
      await minutes(feed, 3)
      expect(systems.itemQueries.map(({ length }) => length)).to.deep.equal([200, 200, 200])
      expect(new Set(systems.itemQueries.flat()).size).to.equal(450)
    })

    it('runs in every round if inventory reports no stock changes', async () => {
      const { products, prices } = systems
      systems = Object.assign(createFakeSystems({ reportsStock: false }), { products, prices })
      systems.stock.rows = [level('A', 20), level('B', 20)]
      systems.changes.products = (query) => products.read!(query)
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      moveStock('B', 2)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['stock.changed B'])
    })

    it('reports a delivery date that has passed', async () => {
      systems.stock.rows = [level('A', 0, [{ date: '2026-03-03', quantity: 5 }])]
      await using feed = createTestFeed(db, systems)
      await rounds(feed)
      systems.today = '2026-03-04'
      await minutes(feed, 2)
      expect(await readEventData(db, 'stock.changed')).to.deep.equal([
        { sku: 'A', band: 'OUT', previous_band: 'LEAD_TIME', eta: null },
      ])
    })

    it('is not overwritten by a page that was read earlier', async () => {
      await using feed = createTestFeed(db, systems)
      await feed.tick()
      const { promise, resolve } = Promise.withResolvers<void>()
      const queries = Promise.withResolvers<void>()
      moveStock('A', 1)
      const read = systems.stock.read!
      systems.stock.read = async (query) => {
        const page = await read(query)
        queries.resolve()
        await promise
        return page
      }
      const slow = feed.tick()
      await queries.promise
      moveStock('A', 0)
      systems.now += 66_000
      const reconciling = feed.tick()
      while ((await readEventLines(db)).length === 0) await new Promise((next) => setImmediate(next))
      resolve()
      await Promise.all([slow, reconciling])
      const datas = await readEventData(db, 'stock.changed')
      expect(datas.map(({ band }) => band)).to.deep.equal(['OUT'])
    })
  })
}
