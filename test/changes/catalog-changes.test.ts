import { expect } from 'chai'
import { sql } from 'kysely'
import { createCatalogChangePoller } from '../../src/changes/catalog-change-poller.ts'
import { UpstreamError } from '../../src/errors.ts'
import type { Product, Stock } from '../../src/ports/inventory.ts'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'
import {
  createFakeSystems,
  createTestFeed,
  type FakeSystems,
  type HeardChanges,
  productOf,
  readEventData,
  readEventLines,
} from './fake-systems.ts'

for (const store of stores()) {
  describe(`a catalog’s changes on ${store.name}`, () => {
    let db: Database
    let world: FakeSystems

    beforeEach(async () => {
      db = await store.open()
      world = createFakeSystems()
      world.products.rows = [productOf('A', world.at(-60_000)), productOf('B', world.at(-50_000))]
      world.stock.rows = [level('A', 20), level('B', 20)]
      world.prices.rows = [{ sku: 'A', updated_at: world.at(-60_000) }]
    })
    afterEach(() => store.close())

    function level(sku: string, available: number, expected: Stock['expected'] = []) {
      return { sku, stock: { available, expected }, updated_at: world.at() }
    }
    function change(sku: string, to: Partial<Product>) {
      const before = world.products.rows.findLast((row) => row.sku === sku)!
      world.now += 1_000
      world.products.rows = world.products.rows.filter((row) => row.sku !== sku)
      world.products.rows.push({ ...before, updated_at: world.at(), ...to })
    }
    function moveStock(sku: string, available: number, expected: Stock['expected'] = []) {
      world.now += 1_000
      world.stock.rows = world.stock.rows.filter((row) => row.sku !== sku)
      world.stock.rows.push(level(sku, available, expected))
    }
    /** Two rounds: what was told of once is not told of again. */
    async function rounds(feed: { tick(): Promise<void> }) {
      await feed.tick()
      await feed.tick()
    }

    it('tells of a product’s new content, withdrawal and return, and of no mere new time', async () => {
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      change('A', {})
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([])
      change('A', { name: 'Better' })
      const at = world.at()
      await rounds(feed)
      change('A', { active: false })
      await rounds(feed)
      change('A', { name: 'Nobody sees it' })
      await rounds(feed)
      change('A', { active: true })
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal([
        'product.updated A',
        'product.deactivated A',
        'product.updated A',
      ])
      const [first] = await readEventData(db, 'product.updated')
      const details = { sku: 'A', name: 'Better', slug: 'a', active: true, updated_at: at, changed: ['details'] }
      expect(first).to.deep.equal(details)
      expect(await readEventData(db, 'product.deactivated')).to.deep.equal([{ sku: 'A', updated_at: world.at(-2_000) }])
    })

    it('tells of a new price of a product that is sold, not which', async () => {
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      world.now += 1_000
      world.prices.rows = ['A', 'B', 'STRANGE'].map((sku) => ({ sku, updated_at: world.at() }))
      await rounds(feed)
      expect((await readEventLines(db)).sort()).to.deep.equal(['product.updated A', 'product.updated B'])
      const [data] = await readEventData(db, 'product.updated')
      expect(data).to.deep.equal({
        ...{ sku: 'A', name: 'Part A', slug: 'a', active: true, updated_at: world.at(), changed: ['price'] },
      })
      expect(feed.heard).to.deep.include({ owner: 'acme/sandbox', skus: ['A', 'B', 'STRANGE'], details: false })
    })

    it('tells of prices again after one whose time was far in the future', async () => {
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      for (const updated_at of ['2199-01-01T00:00:00.000Z', world.at(1_000), world.at(2_000)]) {
        world.now += 1_000
        world.prices.rows = [{ sku: 'A', updated_at }]
        await rounds(feed)
      }
      expect(await readEventLines(db)).to.deep.equal(Array(3).fill('product.updated A'))
    })

    it('tells of a stock’s band when it changes, and keeps and tells no count', async () => {
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      for (const available of [7_654, 5_432, 3, 6, 3, 7_654]) {
        moveStock('A', available)
        await rounds(feed)
      }
      moveStock('A', 0, [{ date: '2026-03-09', quantity: 9_876 }])
      await rounds(feed)
      expect(await readEventData(db, 'stock.changed')).to.deep.equal([
        { sku: 'A', band: 'LOW', previous_band: 'IN_STOCK', eta: null },
        { sku: 'A', band: 'IN_STOCK', previous_band: 'LOW', eta: null },
        { sku: 'A', band: 'LEAD_TIME', previous_band: 'IN_STOCK', eta: '2026-03-09' },
      ])
      const kept = await db.selectFrom('resources').selectAll().execute()
      const events = await db.selectFrom('events').selectAll().execute()
      expect(JSON.stringify([kept, events])).to.not.match(/7654|5432|9876/)
    })

    it('tells of no stock of what is not sold, nor of the first that is seen', async () => {
      await using feed = createTestFeed(db, world)
      await rounds(feed)
      moveStock('NEW', 3)
      change('B', { active: false })
      await rounds(feed)
      moveStock('B', 0)
      moveStock('NEW', 0)
      await rounds(feed)
      expect(await readEventLines(db)).to.deep.equal(['product.deactivated B'])
    })

    it('has copies dropped as soon as a change is told of, in other processes too', async () => {
      const elsewhere: HeardChanges[] = []
      await using tail = createCatalogChangePoller({
        ...{ db, now: () => world.now, intervalMs: null },
        onChanged: (owner, skus, { details }) => void elsewhere.push({ owner, skus: skus.sort(), details }),
        onError: (error) => {
          throw error
        },
      })
      await using feed = createTestFeed(db, world, { catalogDelayMs: 1_500 })
      await rounds(feed)
      feed.heard.length = 0
      change('A', { name: 'Better' })
      moveStock('B', 0)
      await feed.tick()
      const expected = [
        { owner: 'acme/sandbox', skus: ['A'], details: true },
        { owner: 'acme/sandbox', skus: ['B'], details: false },
      ]
      expect(feed.heard).to.have.deep.members(expected)
      await tail.look()
      await tail.look()
      expect(elsewhere).to.have.deep.members(expected)
    })

    it('has copies dropped before others can send what is told, however many changed', async () => {
      const unheard: number[] = []
      const look = async () => {
        const events = await readEventLines(db)
        if (events.length === 0) return
        unheard.push(events.length - new Set(feed.heard.flatMap(({ skus }) => skus)).size)
      }
      await using feed = createTestFeed(lookedAt(db, look), world)
      await rounds(feed)
      feed.heard.length = 0
      for (let at = 0; at < 200; at += 1) world.products.rows.push(productOf(`N-${at}`, world.at()))
      await feed.tick()
      // One transaction's worth was committed that very moment.
      expect(Math.max(...unheard)).to.be.within(1, 50)
      expect(await readEventLines(db)).to.have.length(200)
    })

    it('sends what is told of the catalog a moment later where several processes serve it', async () => {
      const subscription = {
        ...{
          subscription_id: 'whk_1',
          tenant_id: 'acme',
          mode: 'sandbox' as const,
          endpoint_url: 'https://x.example/',
        },
        ...{ event_types: '["*"]', description: null, status: 'ACTIVE' as const, disabled_reason: null },
        ...{ disabled_at: null, secret: '', secret_hint: '', previous_secret: null, previous_secret_expires_at: null },
        ...{ consecutive_failures: 0, exhausted: 0, failing_since: null, last_delivery_at: null },
        ...{ last_success_at: null, created_at: world.at(), updated_at: world.at() },
      }
      await db.insertInto('subscriptions').values(subscription).execute()
      await using feed = createTestFeed(db, world, { catalogDelayMs: 1_500 })
      await rounds(feed)
      change('A', { name: 'Better' })
      await feed.tick()
      const deliveries = await db.selectFrom('deliveries').select(['created_at', 'due_at']).execute()
      expect(deliveries).to.deep.equal([{ created_at: world.at(), due_at: world.at(1_500) }])
    })

    describe('looking at all in turns', () => {
      async function minutes(feed: { tick(): Promise<void> }, count: number) {
        for (let minute = 0; minute < count; minute += 1) {
          world.now += 66_000
          await feed.tick()
        }
      }

      it('finds what was deleted, when it is missing twice', async () => {
        await using feed = createTestFeed(db, world)
        await feed.tick()
        world.products.rows = world.products.rows.filter(({ sku }) => sku !== 'A')
        await minutes(feed, 1)
        expect(await readEventLines(db)).to.deep.equal([])
        await minutes(feed, 3)
        expect(await readEventLines(db)).to.deep.equal(['product.deactivated A'])
        world.products.rows.push(productOf('A', world.at()))
        await minutes(feed, 2)
        expect(await readEventLines(db)).to.deep.equal(['product.deactivated A', 'product.updated A'])
      })

      it('takes nothing for deleted that was missing once, or while the inventory fails', async () => {
        await using feed = createTestFeed(db, world)
        await feed.tick()
        const answers = [
          async () => [],
          async () => Promise.reject(new UpstreamError('timeout', 'slow')),
          async (skus: readonly string[]) =>
            skus.map((sku) => ({ sku, product: productOf(sku, world.at()), stock: null })),
          async () => [],
        ]
        let at = 0
        world.items = (skus) => (answers[at++] ?? answers[2]!)(skus)
        await minutes(feed, 8)
        expect(at).to.be.above(4)
        expect(await readEventLines(db)).to.deep.equal([])
      })

      for (const count of [20, 300]) {
        it(`takes nothing for deleted while an inventory of ${count} answers that it has nothing at all`, async () => {
          world.products.rows = Array.from({ length: count }, (_, n) => productOf(`S${n}`, world.at()))
          await using feed = createTestFeed(db, world)
          await feed.tick()
          const { items } = world
          world.items = async () => []
          await minutes(feed, 8)
          expect(await readEventLines(db)).to.deep.equal([])
          world.items = items
          world.products.rows = world.products.rows.filter(({ sku }) => sku !== 'S7')
          await minutes(feed, 8)
          expect(await readEventLines(db)).to.deep.equal(['product.deactivated S7'])
        })
      }

      it('takes nothing for deleted that is there and cannot be read', async () => {
        await using feed = createTestFeed(db, world)
        await feed.tick()
        // As adapters do: rows that cannot be read are left out, and an answer of which none can is no answer.
        world.items = async (skus) => {
          if (!skus.includes('B')) throw new UpstreamError('invalid', 'no row can be read')
          return [{ sku: 'B', product: productOf('B', world.at()), stock: null }]
        }
        await minutes(feed, 5)
        expect(await readEventLines(db)).to.deep.equal([])
        world.items = async (skus) =>
          skus.includes('B') ? [{ sku: 'B', product: productOf('B', world.at()), stock: null }] : []
        await minutes(feed, 2)
        expect(await readEventLines(db)).to.deep.equal(['product.deactivated A'])
      })

      it('finds changes that have no time of their own', async () => {
        await using feed = createTestFeed(db, world)
        await feed.tick()
        Object.assign(world.products.rows[0]!, { tags: ['sale'] })
        Object.assign(world.stock.rows[1]!, { stock: { available: 0, expected: [] }, updated_at: world.at(-90_000) })
        world.stock.asked = []
        await minutes(feed, 2)
        expect((await readEventLines(db)).sort()).to.deep.equal(['product.updated A', 'stock.changed B'])
      })

      // SQLite has nothing to hold.
      if (store.name === 'PostgreSQL')
        it('holds what it compares in the order in which everybody does', async () => {
          await using feed = createTestFeed(db, world)
          await feed.tick()
          world.items = async () => [{ sku: 'B', product: productOf('B', world.at()), stock: null }]
          world.now += 66_000
          const hold = (transaction: Database, sku: string) =>
            transaction
              .selectFrom('resources')
              .select('id')
              .where('type', '=', 'product')
              .where('id', '=', sku)
              .forUpdate()
              .noWait()
              .execute()
          const sweeping = await db.transaction().execute(async (transaction) => {
            await hold(transaction, 'A')
            const round = feed.tick()
            const waiting = sql`select 1 from pg_locks where not granted`
            await until('A is waited for', async () => (await waiting.execute(db)).rows.length > 0)
            // Others take it for a moment; whoever waits for A must not have it meanwhile.
            const isFree = () => db.transaction().execute((other) => hold(other, 'B'))
            await until('B is free', () => isFree().then(Boolean, () => false))
            return [round]
          })
          await Promise.all(sweeping)
        })

      it('asks for a slice at a time, the longest unchecked first', async () => {
        world.products.rows = Array.from({ length: 450 }, (_, at) => productOf(`P-${at}`, world.at(-60_000 + at)))
        world.stock.rows = []
        await using feed = createTestFeed(db, world)
        await feed.tick()
        world.itemsAsked = []
        await minutes(feed, 3)
        expect(world.itemsAsked.map(({ length }) => length)).to.deep.equal([200, 200, 200])
        expect(new Set(world.itemsAsked.flat()).size).to.equal(450)
      })

      it('looks at every round where the inventory tells of no stock', async () => {
        const { products, prices } = world
        world = Object.assign(createFakeSystems({ tellsOfStock: false }), { products, prices })
        world.stock.rows = [level('A', 20), level('B', 20)]
        world.changes.products = (query) => products.read!(query)
        await using feed = createTestFeed(db, world)
        await rounds(feed)
        moveStock('B', 2)
        await rounds(feed)
        expect(await readEventLines(db)).to.deep.equal(['stock.changed B'])
      })

      it('withdraws a promise whose day has passed', async () => {
        world.stock.rows = [level('A', 0, [{ date: '2026-03-03', quantity: 5 }])]
        await using feed = createTestFeed(db, world)
        await rounds(feed)
        world.today = '2026-03-04'
        await minutes(feed, 2)
        expect(await readEventData(db, 'stock.changed')).to.deep.equal([
          { sku: 'A', band: 'OUT', previous_band: 'LEAD_TIME', eta: null },
        ])
      })

      it('is not undone by a page that was read before', async () => {
        await using feed = createTestFeed(db, world)
        await feed.tick()
        const { promise, resolve } = Promise.withResolvers<void>()
        const asked = Promise.withResolvers<void>()
        moveStock('A', 1)
        const read = world.stock.read!
        world.stock.read = async (query) => {
          const page = await read(query)
          asked.resolve()
          await promise
          return page
        }
        const slow = feed.tick()
        await asked.promise
        moveStock('A', 0)
        world.now += 66_000
        const sweeping = feed.tick()
        while ((await readEventLines(db)).length === 0) await new Promise((next) => setImmediate(next))
        resolve()
        await Promise.all([slow, sweeping])
        const datas = await readEventData(db, 'stock.changed')
        expect(datas.map(({ band }) => band)).to.deep.equal(['OUT'])
      })
    })
  })
}

/** Somebody looks into it whenever a transaction was committed, before those who asked for it know. */
function lookedAt(db: Database, look: () => Promise<void>): Database {
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (name !== 'transaction') return typeof member === 'function' ? member.bind(target) : member
      return () => {
        const builder = target.transaction()
        const execute = builder.execute.bind(builder)
        return Object.assign(builder, {
          async execute(work: never) {
            const done = await execute(work)
            await look()
            return done
          },
        })
      }
    },
  })
}
